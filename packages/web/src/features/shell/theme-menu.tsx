import { useState } from 'react';
import { THEMES, type Theme, chooseTheme, chosenTheme } from '../../theme/theme.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';

const SHOWN: Record<Theme, { label: string; icon: IconName }> = {
  system: { label: 'System', icon: 'screen' },
  light: { label: 'Light', icon: 'sun' },
  dark: { label: 'Dark', icon: 'moon' },
};

export const ThemeMenu = () => {
  const [theme, setTheme] = useState(chosenTheme);
  const choose = (next: Theme): void => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <Menu look="quiet" square label={`Theme: ${SHOWN[theme].label}`} button={<Icon name={SHOWN[theme].icon} />}>
      {THEMES.map((each) => (
        <button key={each} type="button" aria-pressed={each === theme} onClick={() => choose(each)}>
          <Icon name={SHOWN[each].icon} />
          {SHOWN[each].label}
        </button>
      ))}
    </Menu>
  );
};
