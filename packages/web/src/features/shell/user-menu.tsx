import { useLocation } from 'wouter';
import { queryClient, request } from '../../api/client.ts';
import { useRights, useService, useSession } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Menu } from '../../ui/menu.tsx';

export const UserMenu = ({ onKeys }: { readonly onKeys: () => void }) => {
  const service = useService();
  const session = useSession();
  const { authEnabled, administrator } = useRights();
  const [location] = useLocation();
  if (service.data === undefined || session.data === undefined) return null;
  const user = session.data.user;
  if (authEnabled && user === null) {
    return (
      <Link to={paths.login({ next: location + window.location.search })} className={buttonClass({ look: 'primary' })}>
        Sign in
      </Link>
    );
  }
  const signOut = async (): Promise<void> => {
    await request('logOut', {});
    await queryClient.invalidateQueries();
  };
  return (
    <Menu
      look="quiet"
      square
      label={user ? `Signed in as ${user.name ?? user.username}` : 'Menu'}
      button={<Icon name={user ? 'person' : 'menu'} />}
    >
      {administrator && <Link to={paths.users()}>Users</Link>}
      {administrator && <Link to={paths.keys()}>API keys</Link>}
      {administrator && <Link to={paths.storage()}>Storage</Link>}
      {user && <Link to={paths.sessions()}>Your account</Link>}
      <hr />
      <Link to={paths.send()}>Send runs</Link>
      <Link to={paths.docs()}>API documentation</Link>
      <button type="button" onClick={onKeys}>
        Keyboard
      </button>
      {user && (
        <>
          <hr />
          <button type="button" onClick={() => void signOut()}>
            Sign out {user.username}
          </button>
        </>
      )}
    </Menu>
  );
};
