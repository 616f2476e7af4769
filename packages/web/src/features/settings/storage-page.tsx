import type { ProjectStorage, StorageStats } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import { countOf, formatBytes, formatCount, formatShare } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import { Forecast } from '../retention/forecast.tsx';
import { InstallationRetention } from '../retention/installation-retention.tsx';
import { AuditLog } from './audit-log.tsx';
import { Cleanup } from './cleanup.tsx';
import { AuthDisabledNotice, SettingsFrame } from './settings-frame.tsx';
import styles from './settings.module.css';

export const StoragePage = () => {
  const stats = useQuery(ask('getStats', {}));
  const storage = useQuery(ask('getStorage', {}));
  return (
    <SettingsFrame title="Storage" administrators>
      <AuthDisabledNotice />
      <Loaded query={stats} rows={3}>
        {(figures) => <Figures {...figures} />}
      </Loaded>
      <Forecast />
      <Loaded query={storage}>{({ projects }) => <Shares projects={projects} />}</Loaded>
      <InstallationRetention />
      <Cleanup />
      <AuditLog />
    </SettingsFrame>
  );
};

const Figures = (stats: StorageStats) => {
  const asSent = stats.reportSizeFromDb + stats.traceSizeFromDb + stats.attachmentSizeFromDb;
  return (
    <Panel title="Usage" padded>
      <dl className={styles['figures']}>
        <div>
          <dt>On disk</dt>
          <dd>
            {formatBytes(stats.storageSizeOnDisk)}
            <small>{formatBytes(stats.databaseSizeOnDisk)} in the database</small>
          </dd>
        </div>
        <div>
          <dt>Reports, traces and attachments</dt>
          <dd>
            {formatBytes(stats.fileSizeOnDisk)}
            <small>
              {countOf(stats.totalReports, 'report')}, {countOf(stats.totalTraces, 'trace')},{' '}
              {countOf(stats.totalAttachments, 'attachment')}
              {asSent > stats.fileSizeOnDisk && `; ${formatBytes(asSent)} if nothing were shared`}
            </small>
          </dd>
        </div>
        <div>
          <dt>Runs</dt>
          <dd>
            {formatCount(stats.totalRuns)}
            <small>in {countOf(stats.totalProjects, 'project')}</small>
          </dd>
        </div>
        <div>
          <dt>Results</dt>
          <dd>
            {formatCount(stats.totalRunsCases)}
            <small>of {countOf(stats.totalTestCases, 'test')}</small>
          </dd>
        </div>
      </dl>
    </Panel>
  );
};

const bytesOf = ({ databaseBytes, fileBytes }: ProjectStorage): number => databaseBytes + fileBytes;

const Shares = ({ projects }: { readonly projects: readonly ProjectStorage[] }) => {
  const all = projects.reduce((sum, project) => sum + bytesOf(project), 0);
  const columns: readonly Column<ProjectStorage>[] = [
    { title: 'Project', cell: ({ id, name, label }) => <Link to={paths.project(id)}>{label ?? name}</Link> },
    {
      title: 'Share',
      cell: (project) => {
        const share = all === 0 ? 0 : bytesOf(project) / all;
        return (
          <span className={styles['share']}>
            <i style={{ width: `${share * 6}rem` }} />
            {formatShare(share)}
          </span>
        );
      },
    },
    { title: 'Results', number: true, cell: ({ databaseBytes }) => formatBytes(databaseBytes) },
    { title: 'Files', number: true, cell: ({ fileBytes }) => formatBytes(fileBytes) },
    { title: 'Runs', number: true, cell: ({ runs }) => formatCount(runs) },
    { title: 'Oldest run', cell: ({ oldestRun }) => (oldestRun ? <Time value={oldestRun} /> : '–') },
  ];
  return (
    <Panel
      title="By project"
      note="file sizes before deduplication"
      actions={projects.length > 0 && <CsvButton name="storage" rows={() => projects} />}
    >
      {projects.length === 0 ? (
        <Empty title="Nothing is stored yet" />
      ) : (
        <Table stacked label="Storage by project" columns={columns} rows={projects} keyOf={({ id }) => id} />
      )}
    </Panel>
  );
};
