import type { ReactNode } from 'react';
import { Redirect, useLocation } from 'wouter';
import { useRights } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';

interface Props {
  readonly title: string;
  /** Whether only Administrators may see it; while nobody is asked for an account, everyone may. */
  readonly administrators?: boolean;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The heading and the tabs of all settings. Whoever is not signed in is asked to, and comes back. */
export const SettingsFrame = ({ title, administrators = false, actions, children }: Props) => {
  const [location] = useLocation();
  const { known, authEnabled, signedIn, administrator } = useRights();
  if (!known) return <Page title={title} heading="Settings" />;
  if (authEnabled && !signedIn) {
    return <Redirect to={paths.login({ next: location + window.location.search })} replace />;
  }
  const refused = administrators && !administrator;
  const tabs = [
    ...(administrator ? [{ label: 'Users', to: paths.users() }] : []),
    { label: 'API keys', to: paths.keys() },
    ...(authEnabled ? [{ label: 'Your account', to: paths.sessions() }] : []),
    ...(administrator ? [{ label: 'Storage', to: paths.storage() }] : []),
  ];
  return (
    <Page title={title} heading="Settings" actions={!refused && actions}>
      <Tabs label="Settings" tabs={tabs.map((tab) => ({ ...tab, current: tab.to === location }))} />
      {refused ? (
        <Notice tone="warn" title="This page is for Administrators">
          Your account has another role. Ask an Administrator if you need this.
        </Notice>
      ) : (
        children
      )}
    </Page>
  );
};

/** Said wherever accounts are managed while nobody is asked for one. */
export const AuthDisabledNotice = () => {
  const { authEnabled } = useRights();
  if (authEnabled) return null;
  return (
    <Notice tone="warn" title="Authentication is disabled">
      Everyone who can reach this service may read, submit, delete and manage these accounts. To require accounts, set{' '}
      <code>SERVICE_AUTH_ENABLED=true</code> and <code>SERVICE_AUTH_SECRET</code>, then restart the service.
    </Notice>
  );
};
