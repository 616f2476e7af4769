import type { ImportReply } from '@assay/contract';
import { ApiError } from '@assay/contract/request';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { queryClient } from '../../api/client.ts';
import { problemOf } from '../../api/problem.ts';
import { countOf, formatBytes } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { TextField } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { MAX_FILES, filesOfDrop, filesOfField, hasFiles } from './dropped-files.ts';
import { type Import, type NamedFile, sendReports } from './send-reports.ts';
import styles from './import-reports.module.css';

interface Props {
  /** Where the run goes; without it the reader names a project. */
  readonly projectName?: string | undefined;
  /** In place of saying what was imported. */
  readonly onDone?: (reply: ImportReply) => void;
}

/** Takes reports of any tool: chosen, or dropped anywhere on the page. */
export const ImportReports = ({ projectName: given, onDone }: Props) => {
  const [projectName, setProjectName] = useState(given ?? '');
  const [branch, setBranch] = useState('');
  const [tooMany, setTooMany] = useState(false);
  const [sent, setSent] = useState(0);
  const cancel = useRef(new AbortController());
  const send = useMutation({
    mutationFn: (what: Import) => {
      cancel.current = new AbortController();
      setSent(0);
      return sendReports(what, setSent, cancel.current.signal);
    },
    onSuccess(reply) {
      onDone?.(reply);
      void queryClient.invalidateQueries();
    },
  });
  const hasProject = projectName.trim() !== '';
  const take = (files: readonly NamedFile[]): void => {
    if (files.length === 0 || send.isPending || !hasProject) return;
    setTooMany(files.length > MAX_FILES);
    if (files.length <= MAX_FILES) send.mutate({ projectName, branch: branch.trim(), files, incomplete: false });
  };
  const isOver = useDrop(take);

  return (
    <div className={styles['import']}>
      <div className={styles['fields']}>
        {given === undefined && (
          <TextField label="Project" value={projectName} onChange={({ target }) => setProjectName(target.value)} />
        )}
        <TextField
          label="Branch"
          placeholder="optional"
          value={branch}
          onChange={({ target }) => setBranch(target.value)}
        />
      </div>
      <div className={classNames(styles['zone'], isOver && styles['over'])}>
        {send.isPending ? (
          <Sending sent={sent} files={send.variables.files} onCancel={() => cancel.current.abort()} />
        ) : (
          <>
            <p>
              {hasProject
                ? 'Drop reports, folders or a zip here: JUnit XML, TRX, TAP, Jest, Playwright, Allure …'
                : 'Name a project, then drop reports, folders or a zip here.'}
            </p>
            <div className={styles['choices']}>
              <Choose label="Choose files" disabled={!hasProject} onFiles={take} />
              <Choose label="Choose a folder" isFolder disabled={!hasProject} onFiles={take} />
            </div>
          </>
        )}
      </div>
      {tooMany && (
        <Notice tone="bad" title={`These are more than ${countOf(MAX_FILES, 'file')}`}>
          Zip the folder and drop the zip.
        </Notice>
      )}
      {send.isError && (
        <Refused error={send.error} onTakeAnyway={() => send.mutate({ ...send.variables, incomplete: true })} />
      )}
      {send.isSuccess && !onDone && <Done reply={send.data} />}
    </div>
  );
};

/** Takes what is dropped anywhere on the page, so that no browser opens a report that misses the target. */
const useDrop = (onFiles: (files: readonly NamedFile[]) => void): boolean => {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => void (latest.current = onFiles));
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      void filesOfDrop(event.dataTransfer!).then((files) => latest.current(files));
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, []);
  return isOver;
};

interface ChooseProps {
  readonly label: string;
  readonly isFolder?: boolean;
  readonly disabled: boolean;
  readonly onFiles: (files: readonly NamedFile[]) => void;
}

const Choose = ({ label, isFolder = false, disabled, onFiles }: ChooseProps) => {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button disabled={disabled} onClick={() => field.current?.click()}>
        {label}
      </Button>
      <input
        ref={field}
        type="file"
        hidden
        multiple
        aria-label={label}
        {...(isFolder ? { webkitdirectory: '' } : {})}
        onChange={({ target }) => {
          onFiles(filesOfField(target.files));
          // The same file may be chosen again.
          target.value = '';
        }}
      />
    </>
  );
};

interface SendingProps {
  readonly sent: number;
  readonly files: readonly NamedFile[];
  readonly onCancel: () => void;
}

const Sending = ({ sent, files, onCancel }: SendingProps) => {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  return (
    <>
      <p role="status">
        {sent < 1 ? `Sending ${countOf(files.length, 'file')}, ${formatBytes(bytes)}` : 'Reading the reports'}
      </p>
      {sent < 1 ? <progress value={sent} aria-label="Sent" /> : <progress aria-label="Reading" />}
      <Button onClick={onCancel}>Cancel</Button>
    </>
  );
};

const Refused = ({ error, onTakeAnyway }: { readonly error: Error; readonly onTakeAnyway: () => void }) => {
  if (error.name === 'AbortError') return <Notice title="The import was cancelled; nothing was stored" />;
  const body = error instanceof ApiError ? error.body : null;
  const { title, advice } = problemOf(error);
  const others = (body?.issues ?? []).slice(1);
  return (
    <Notice
      tone="bad"
      title={title}
      action={body?.code === 'damaged_report' && <Button onClick={onTakeAnyway}>Import what can be read</Button>}
    >
      {body?.issues === undefined
        ? advice
        : others.length > 0 && <Messages messages={others.map(({ message }) => message)} />}
    </Notice>
  );
};

const Done = ({ reply }: { readonly reply: ImportReply }) => {
  const { testRunId, totalTests, failedTests, flakyTests, formats, warnings } = reply;
  const files = formats.map(({ format, files }) => `${countOf(files, 'file')} of ${format}`).join(', ');
  const bad = failedTests > 0 ? `, ${failedTests} failed` : '';
  const flaky = flakyTests > 0 ? `, ${flakyTests} flaky` : '';
  return (
    <Notice
      tone={warnings.length > 0 ? 'warn' : 'good'}
      title={`${countOf(totalTests, 'result')} imported${bad}${flaky}`}
      action={<Link to={paths.run(testRunId)}>Open run #{testRunId}</Link>}
    >
      {files}
      {warnings.length > 0 && <Messages messages={warnings} />}
    </Notice>
  );
};

const Messages = ({ messages }: { readonly messages: readonly string[] }) => (
  <ul className={styles['messages']}>
    {messages.map((message, at) => (
      <li key={at}>{message}</li>
    ))}
  </ul>
);
