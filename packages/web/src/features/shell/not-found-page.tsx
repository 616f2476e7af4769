import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';

export const NotFoundPage = () => (
  <Page title="Not found">
    <Empty title="There is no such page">
      <p>
        The address may be mistyped. Everything starts at <Link to={paths.projects()}>your projects</Link>.
      </p>
    </Empty>
  </Page>
);
