import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useConnection } from '../../api/live.ts';
import { useOutdated } from '../../api/new-version.ts';
import { useRights, useService } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Palette } from '../palette/palette.tsx';
import { useGlobalKeys } from './global-keys.ts';
import { KeyboardHelp } from './keyboard-help.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { ThemeMenu } from './theme-menu.tsx';
import { UserMenu } from './user-menu.tsx';
import styles from './shell.module.css';

/** What is around every page. */
export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const [location] = useLocation();
  const [over, setOver] = useState<'palette' | 'keys' | null>(null);
  const { authEnabled } = useRights();
  useGlobalKeys({ openPalette: () => setOver('palette'), openHelp: () => setOver('keys') });
  return (
    <>
      <a className={styles['skip']} href="#content">
        Skip to content
      </a>
      <header className={styles['bar']}>
        <div className={styles['inner']}>
          <Link to={paths.projects()} className={styles['brand']}>
            <img src="/favicon.svg" width={22} height={22} alt="" />
            Assay
          </Link>
          <nav className={styles['links']} aria-label="Main">
            <NavLink to={paths.projects()} current={location === '/' || location.startsWith('/projects')}>
              Projects
            </NavLink>
            <NavLink to={authEnabled ? paths.sessions() : paths.storage()} current={location.startsWith('/settings')}>
              Settings
            </NavLink>
            <NavLink to={paths.send()} current={location === paths.send()}>
              Send runs
            </NavLink>
            <NavLink to={paths.docs()} current={location.startsWith(paths.docs())}>
              API
            </NavLink>
          </nav>
          <Button className={styles['find']} aria-keyshortcuts="Control+K" onClick={() => setOver('palette')}>
            <Icon name="search" />
            <span>Find anything</span>
            <kbd>Ctrl K</kbd>
          </Button>
          <ThemeMenu />
          <UserMenu onKeys={() => setOver('keys')} />
        </div>
      </header>
      <Strips />
      <main id="content" tabIndex={-1}>
        <PageBoundary path={location}>
          <Suspense fallback={<ComingPage />}>{children}</Suspense>
        </PageBoundary>
      </main>
      {over === 'palette' && <Palette onClose={() => setOver(null)} />}
      {over === 'keys' && <KeyboardHelp onClose={() => setOver(null)} />}
    </>
  );
};

const NavLink = ({ to, current, children }: { to: string; current: boolean; children: ReactNode }) => (
  <Link to={to} aria-current={current ? 'page' : undefined}>
    {children}
  </Link>
);

/** Where a page will be whose code is on its way. */
const ComingPage = () => (
  <div className={styles['coming']}>
    <Skeleton rows={12} />
  </div>
);

/** The next page that one goes to comes from the new version. */
const useReloadOnNextPage = (outdated: boolean): void => {
  const [location] = useLocation();
  const noticedAt = useRef<string>(undefined);
  useEffect(() => {
    if (!outdated) return;
    noticedAt.current ??= location;
    if (noticedAt.current !== location) window.location.reload();
  }, [outdated, location]);
};

const Strips = () => {
  const connection = useConnection();
  const service = useService();
  const outdated = useOutdated();
  useReloadOnNextPage(outdated);
  if (connection === 'away') {
    return (
      <div className={styles['strip']} role="status">
        <Icon name="offline" /> The service is not responding. This page may be out of date; it reconnects
        automatically.
      </div>
    );
  }
  if (outdated) {
    return (
      <div className={styles['strip']} role="status">
        A new version of Assay is running.
        <Button small onClick={() => window.location.reload()}>
          Reload
        </Button>
      </div>
    );
  }
  if (service.data?.setupNeeded) {
    return (
      <div className={styles['strip']} role="status">
        No account exists yet. <Link to={paths.setup()}>Create the first Administrator</Link>
      </div>
    );
  }
  return null;
};
