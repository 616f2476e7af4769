import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../ui/loaded.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { ChosenWindow } from '../window/window.ts';
import { ProjectFrame } from './project-frame.tsx';
import styles from './project-page.module.css';

interface Props<T> {
  readonly projectId: number;
  readonly title: string;
  readonly window: ChosenWindow;
  readonly query: UseQueryResult<T>;
  /** What the panel lists, before the words of its branch and days. */
  readonly note: (data: T) => string;
  readonly actions?: ReactNode;
  /** Above the list, also while it loads. */
  readonly rule?: ReactNode;
  readonly children: (data: T) => ReactNode;
  /** Above the panel and below it. */
  readonly above?: ReactNode;
  readonly below?: ReactNode;
}

/** A page of a project that lists one thing of the chosen branch and days. */
export const ProjectPanelPage = <T,>(props: Props<T>) => {
  const { projectId, title, window, query, note, actions, rule, children, above, below } = props;
  return (
    <ProjectFrame projectId={projectId} title={title} window={window}>
      {above}
      <Panel title={title} note={query.data && `${note(query.data)}: ${window.words}`} actions={actions}>
        {rule}
        <div className={styles['listed']} aria-busy={query.isPlaceholderData}>
          <Loaded query={query} rows={10}>
            {children}
          </Loaded>
        </div>
      </Panel>
      {below}
    </ProjectFrame>
  );
};
