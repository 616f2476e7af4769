export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORED_AS = 'assay.theme';

export const chosenTheme = (): Theme => {
  const stored = readStored();
  return THEMES.find((theme) => theme === stored) ?? 'system';
};

export const chooseTheme = (theme: Theme): void => {
  try {
    localStorage.setItem(STORED_AS, theme);
  } catch {
    // A browser that keeps nothing still shows the theme until it is closed.
  }
  applyTheme(theme);
};

export const applyTheme = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  window.dispatchEvent(new Event('themechange'));
};

const readStored = (): string | null => {
  try {
    return localStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
};
