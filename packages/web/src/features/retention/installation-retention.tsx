import type { InstallationRetention as Installation } from '@assay/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, request } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { DryRun } from './dry-run.tsx';
import { RetentionFields } from './retention-fields.tsx';
import { readRetention, textsOf } from './retention-form.ts';
import { hasLimits, settingsWords } from './retention-words.ts';
import { SaveRetention } from './save-retention.tsx';
import styles from './retention.module.css';

/** How long runs are kept of projects without settings of their own. */
export const InstallationRetention = () => {
  const query = useQuery(ask('getRetention', {}));
  return (
    <Panel title="Retention" note="for each project without settings of its own" padded>
      <Loaded query={query} rows={4}>
        {(stored) => <Editor stored={stored} />}
      </Loaded>
    </Panel>
  );
};

const Editor = ({ stored: { settings, lastRunAt, projects } }: { readonly stored: Installation }) => {
  const [texts, setTexts] = useState(() => textsOf(settings));
  const read = readRetention(texts);
  const wanted = read.ok ? read.settings : null;
  const preview = useQuery({
    ...ask('previewRetention', { body: wanted ?? {} }),
    enabled: wanted !== null,
    placeholderData: keepPreviousData,
  });
  const isChanged = wanted !== null && JSON.stringify(wanted) !== JSON.stringify(settings);
  return (
    <div className={styles['form']}>
      <RetentionFields texts={texts} read={read} onChange={setTexts} />
      {wanted && <DryRun query={preview} />}
      <SaveRetention
        changed={isChanged ? wanted : null}
        preview={preview.isPlaceholderData ? undefined : preview.data}
        canApply={hasLimits(settings) || projects.some((project) => hasLimits(project.settings))}
        onSave={(changed) => request('setRetention', { body: changed ?? {} })}
      />
      {lastRunAt && (
        <p className={styles['quiet']}>
          Runs were last looked through <Time value={lastRunAt} />.
        </p>
      )}
      {projects.length > 0 && (
        <div>
          <p>Projects with settings of their own:</p>
          <ul>
            {projects.map(({ id, name, label, settings: own }) => (
              <li key={id}>
                <Link to={paths.retention(id)}>{label ?? name}</Link>: {settingsWords(own)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
};
