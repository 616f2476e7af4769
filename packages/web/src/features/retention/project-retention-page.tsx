import type { ProjectRetention } from '@assay/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, request } from '../../api/client.ts';
import { useRights } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ProjectFrame } from '../project/project-frame.tsx';
import { useWindow } from '../window/window.ts';
import { DryRun } from './dry-run.tsx';
import { RetentionFields } from './retention-fields.tsx';
import { readRetention, textsOf } from './retention-form.ts';
import { settingsWords } from './retention-words.ts';
import { SaveRetention } from './save-retention.tsx';
import styles from './retention.module.css';

/** How long the runs of a project and their files are kept. */
export const ProjectRetentionPage = ({ id }: { readonly id: number }) => {
  const { known, administrator } = useRights();
  const chosen = useWindow(id);
  const query = useQuery({ ...ask('getProjectRetention', { params: { id } }), enabled: administrator });
  return (
    <ProjectFrame projectId={id} title="Retention" window={chosen} hideWindow>
      {known && !administrator ? (
        <Notice tone="warn" title="This page is for Administrators">
          Your account has another role. Ask an Administrator if you need this.
        </Notice>
      ) : (
        <Panel title="Retention" note="what of this project is kept" padded>
          <Loaded query={query} rows={4}>
            {(stored) => <Editor key={id} id={id} stored={stored} />}
          </Loaded>
        </Panel>
      )}
    </ProjectFrame>
  );
};

const Editor = ({ id, stored }: { readonly id: number; readonly stored: ProjectRetention }) => {
  const { settings, installation } = stored;
  const [isOwn, setIsOwn] = useState(settings !== null);
  const [texts, setTexts] = useState(() => textsOf(settings ?? installation));
  const read = readRetention(texts);
  const wanted = isOwn ? (read.ok ? read.settings : undefined) : null;
  const preview = useQuery({
    ...ask('previewProjectRetention', { params: { id }, body: { settings: wanted ?? null } }),
    enabled: wanted !== undefined,
    placeholderData: keepPreviousData,
  });
  const isChanged = wanted !== undefined && JSON.stringify(wanted) !== JSON.stringify(settings);
  return (
    <div className={styles['form']}>
      <fieldset className={styles['choice']}>
        <legend>Limits</legend>
        <label>
          <input type="radio" name="limits" checked={!isOwn} onChange={() => setIsOwn(false)} />
          Those of the installation
          <small>
            {settingsWords(installation)} They are on the <Link to={paths.storage()}>storage page</Link>.
          </small>
        </label>
        <label>
          <input type="radio" name="limits" checked={isOwn} onChange={() => setIsOwn(true)} />
          Its own
          <small>In place of those of the installation. With no limit everything is kept.</small>
        </label>
      </fieldset>
      {isOwn && <RetentionFields texts={texts} read={read} onChange={setTexts} />}
      {wanted !== undefined && <DryRun query={preview} />}
      <SaveRetention
        changed={isChanged ? (wanted ?? 'inherit') : null}
        preview={preview.isPlaceholderData ? undefined : preview.data}
        onSave={(changed) => request('setProjectRetention', { params: { id }, body: { settings: changed } })}
      />
    </div>
  );
};
