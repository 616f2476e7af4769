import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

const SAID_FOR_MS = 1_800;

/** Copies a text and says so; `what` completes "Copy …". */
export const CopyButton = ({
  text,
  what,
  label,
}: {
  readonly text: string;
  readonly what: string;
  readonly label?: string;
}) => {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (): Promise<void> => setState((await copyText(text)) ? 'copied' : 'failed');
  const said = { idle: label, copied: 'Copied', failed: 'Select it and press Ctrl+C' }[state];
  return (
    <Button
      look="quiet"
      small
      square={said === undefined}
      aria-label={`Copy ${what}`}
      title={`Copy ${what}`}
      onClick={() => void copy()}
    >
      <Icon name={state === 'copied' ? 'check' : 'copy'} size={14} />
      {said}
      <span className="unseen" role="status">
        {state === 'copied' ? `Copied ${what}` : ''}
      </span>
    </Button>
  );
};

/** The clipboard is there on HTTPS and localhost only; the older way serves plain HTTP. */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    // oxlint-disable-next-line typescript/no-deprecated
    const copied = document.execCommand('copy');
    area.remove();
    return copied;
  }
};
