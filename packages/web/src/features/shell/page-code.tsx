import { type ComponentType, lazy, useEffect } from 'react';
import { request } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';

const RETRY_MS = 2_000;
/** Code that is missing although the service answers will not come by reloading again and again. */
const RELOADED_LATELY_MS = 20_000;
const RELOADED_AT = 'assay-reloaded-at';

/** The code of a page did not come: the service is away, or has another version that names its files otherwise. */
export class PageNotLoaded extends Error {}

/** A page whose code comes when it is first asked for. */
export const later = <Props,>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> =>
  lazy(async () => ({
    default: await load().catch((cause: unknown) => {
      throw new PageNotLoaded('The code of this page did not load', { cause });
    }),
  }));

/** Browsers remember that a module failed, so only a new document asks for it again. */
export const ReloadWhenBack = () => {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const reloadIfBack = (): void =>
      void request('getService', {}).then(reloadOnce, () => {
        timer = setTimeout(reloadIfBack, RETRY_MS);
      });
    reloadIfBack();
    return () => clearTimeout(timer);
  }, []);
  return (
    <Page title="This page did not load">
      <Notice
        tone="bad"
        title="This page did not load"
        action={<Button onClick={() => window.location.reload()}>Reload</Button>}
      >
        The service may be restarting, perhaps with a new version. The page reloads as soon as it answers.
      </Notice>
    </Page>
  );
};

const reloadOnce = (): void => {
  const before = Number(sessionStorage.getItem(RELOADED_AT));
  if (Date.now() - before < RELOADED_LATELY_MS) return;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  window.location.reload();
};
