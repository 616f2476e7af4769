import { useMemo, useState } from 'react';
import { countOf } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { rememberedTool, rememberTool } from './remembered-tool.ts';
import { rerun, type Rerunnable } from './rerun.ts';
import { type Tool, TOOL_NAMES, toolsOf } from './tools.ts';
import styles from './rerun-dialog.module.css';

interface Props {
  readonly projectId: number;
  /** Of the run: it says which tool made it. */
  readonly metadata: unknown;
  readonly selected: readonly Rerunnable[];
  /** The tests of the run, as far as they are known. */
  readonly all?: readonly Rerunnable[];
  /** What is run again, such as `3 failures`. */
  readonly what: string;
  readonly small?: boolean;
}

/** A button that shows the command to run tests again. */
export const RunAgain = ({ what, small = false, ...rest }: Props) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        small={small}
        look={small ? 'quiet' : undefined}
        title={`Run ${what} again`}
        onClick={() => setOpen(true)}
      >
        <Icon name="terminal" />
        Run again
      </Button>
      {open && <RerunDialog what={what} {...rest} onClose={() => setOpen(false)} />}
    </>
  );
};

const RerunDialog = ({
  projectId,
  metadata,
  selected,
  all = selected,
  what,
  onClose,
}: Props & { readonly onClose: () => void }) => {
  const tools = toolsOf(metadata);
  const [chosen, setChosen] = useState(() => rememberedTool(projectId));
  const tool = tools.length === 1 ? tools[0]! : (tools.find((one) => one === chosen) ?? null);
  const choose = (next: Tool): void => {
    rememberTool(projectId, next);
    setChosen(next);
  };
  return (
    <Dialog title={`Run ${what} again`} wide onClose={onClose}>
      {tools.length > 1 && (
        <div className={styles['tools']}>
          <p>This run does not say which tool made it. Your choice is remembered for this project.</p>
          <Choice
            label="Tool"
            value={tool}
            options={tools.map((value) => ({ value, label: TOOL_NAMES[value] }))}
            onChange={choose}
          />
        </div>
      )}
      {tool && <Commands tool={tool} selected={selected} all={all} />}
    </Dialog>
  );
};

interface CommandsProps {
  readonly tool: Tool;
  readonly selected: readonly Rerunnable[];
  readonly all: readonly Rerunnable[];
}

const Commands = ({ tool, selected, all }: CommandsProps) => {
  const { commands, notes } = useMemo(() => rerun(tool, selected, all), [tool, selected, all]);
  const told = commands.length > 1 ? [`${countOf(commands.length, 'command')}, one a line`, ...notes] : notes;
  return (
    <div className={styles['commands']}>
      {commands.length > 0 && <CodeBlock text={commands.join('\n')} what="the command" wrap />}
      <ul className={styles['notes']}>
        <li>For sh, bash and zsh, in the root of the repository</li>
        {told.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </div>
  );
};
