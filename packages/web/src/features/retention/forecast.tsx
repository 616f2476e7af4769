import type { StorageForecast } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import { formatBytes } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { growthWords, noDateWords } from './retention-words.ts';
import styles from '../settings/settings.module.css';

type LimitedProject = StorageForecast['projects'][number];

/** When the disk is full, and when projects reach what they may store. */
export const Forecast = () => {
  const query = useQuery(ask('getForecast', {}));
  return (
    <Panel title="Forecast" note="by the growth of the last four weeks">
      <Loaded query={query} rows={2}>
        {(forecast) => <Found {...forecast} />}
      </Loaded>
    </Panel>
  );
};

const Found = ({ recordedDays, freeBytes, bytesPerDay, fullAt, projects }: StorageForecast) => {
  const noDate =
    freeBytes === null
      ? 'Unknown: nothing is stored on the disk of this machine'
      : noDateWords({ bytesPerDay, fullAt }, recordedDays);
  const about = [freeBytes !== null && `${formatBytes(freeBytes)} free`, growthWords(bytesPerDay)].filter(Boolean);
  const columns: readonly Column<LimitedProject>[] = [
    { title: 'Project', cell: ({ id, name, label }) => <Link to={paths.retention(id)}>{label ?? name}</Link> },
    { title: 'Stored', number: true, cell: ({ bytes }) => formatBytes(bytes) },
    { title: 'Limit', number: true, cell: ({ limitBytes }) => formatBytes(limitBytes) },
    {
      title: 'Reached',
      wide: true,
      cell: (project) => {
        if (project.bytes >= project.limitBytes) return 'Reached: the oldest runs go';
        return noDateWords(project, recordedDays) ?? <Time value={project.fullAt!} />;
      },
    },
  ];
  return (
    <>
      <div className={styles['padded']}>
        <dl className={styles['figures']}>
          <div>
            <dt>Disk full</dt>
            <dd>
              {noDate ?? <Time value={fullAt!} />}
              {about.length > 0 && <small>{about.join(', ')}</small>}
            </dd>
          </div>
        </dl>
      </div>
      {projects.length > 0 && (
        <Table stacked label="Projects with a limit" columns={columns} rows={projects} keyOf={({ id }) => id} />
      )}
    </>
  );
};
