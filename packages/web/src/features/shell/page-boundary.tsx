import { Component, type ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { PageNotLoaded, ReloadWhenBack } from './page-code.tsx';
import styles from './page-boundary.module.css';

interface Props {
  /** Another one is another page, which is tried anew. */
  readonly path: string;
  readonly children: ReactNode;
}

interface State {
  readonly error: Error | null;
  readonly path: string;
}

/** A page that fails leaves the rest standing and says so, with ways on. */
export class PageBoundary extends Component<Props, State> {
  override state: State = { error: null, path: this.props.path };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps({ path }: Props, state: State): Partial<State> | null {
    return path === state.path ? null : { path, error: null };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (error instanceof PageNotLoaded) return <ReloadWhenBack />;
    return <FailedPage error={error} onRetry={() => this.setState({ error: null })} />;
  }
}

const FailedPage = ({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) => (
  <Page title="This page failed">
    <Notice tone="bad" title="Assay could not show this page">
      The fault is in the interface; your data is safe. Please report it with the text below.
    </Notice>
    <div className={styles['ways']}>
      <Button look="primary" onClick={onRetry}>
        Try again
      </Button>
      <Button onClick={() => window.location.reload()}>Reload</Button>
      <Link to={paths.projects()} className={buttonClass({})}>
        All projects
      </Link>
    </div>
    <CodeBlock
      what="the error"
      text={`${window.location.pathname}${window.location.search}\n${error.stack ?? error.message}`}
    />
  </Page>
);
