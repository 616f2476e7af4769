import { fillPath, hex, kebab } from '../tokens.ts';
import { caretAt, codeFrame, cyan, dim, green, red, yellow } from './failure.ts';
import type { FailureKind, Site, WriteError } from './failure.ts';

const ROLES = ['button', 'link', 'menuitem'];
const WRONG_TEXTS: readonly (readonly [string, string])[] = [
  ['€ 129.00', '€ 0.00'],
  ['3 items', '2 items'],
  ['Saved', 'Saving…'],
  ['Confirmed', 'Pending'],
];

/** Lines that are indented already belong to the one above. */
const callLog = (lines: readonly string[]): string =>
  `Call log:\n${lines.map((line) => dim(line.startsWith(' ') ? `  ${line}` : `  - ${line}`)).join('\n')}`;

const matcher = (subject: string, name: string, expected: string): string =>
  `${dim('expect(')}${red(subject)}${dim(').')}${name}${dim('(')}${green(expected)}${dim(')')}`;

/** The statement stands in a page object, so that tests with one cause share all but the last line. */
const inPageObject = (site: Site, statement: string, method: string): string => {
  const caret = caretAt(statement, method);
  const path = `tests/pages/${kebab(site.area)}-page.ts`;
  const frame = codeFrame(
    39,
    [
      `  ${cyan('async')} open${site.area.replaceAll(' ', '')}() {`,
      `    ${cyan('await')} ${cyan('this')}.page.goto(${green(`'/${kebab(site.area)}'`)});`,
      `>    ${statement}`,
      '  }',
    ],
    caret + 4,
  );
  return `\n${frame}\n${stack(site, `${path}:41:${caret + 5}`)}`;
};

const stack = (site: Site, ...above: string[]): string => {
  const home = `/builds/acme/${site.repository}`;
  return [...above, `${site.path}:${site.line + 6}:7`].map((frame) => dim(`    at ${home}/${frame}`)).join('\n');
};

const assertion: WriteError = (stable, varying, site) => {
  const [expected, received] = stable.pick(WRONG_TEXTS);
  const id = `${kebab(site.area)}-status`;
  const statement = `${cyan('await')} expect(${cyan('this')}.page.getByTestId(${green(`'${id}'`)})).toHaveText(${green(`'${expected}'`)});`;
  return `Error: ${matcher('locator', 'toHaveText', 'expected')} failed

Locator:  getByTestId('${id}')
Expected: ${green(`"${expected}"`)}
Received: ${red(`"${received}"`)}
Timeout:  5000ms

${callLog([
  'Expect "toHaveText" with timeout 5000ms',
  `waiting for getByTestId('${id}')`,
  `  ${varying.integer(9, 14)} × locator resolved to <span id="r${hex(varying, 6)}" data-testid="${id}">${received}</span>`,
  `    - unexpected value "${received}"`,
])}
${inPageObject(site, statement, 'toHaveText')}`;
};

const missing: WriteError = (stable, _, site) => {
  const locator = `getByRole('${stable.pick(ROLES)}', { name: '${stable.pick(site.domain.buttons)}' })`;
  return `Error: ${matcher('locator', 'toBeVisible', '')} failed

Locator: ${locator}
Expected: visible
Timeout: 5000ms
Error: element(s) not found

${callLog(['Expect "toBeVisible" with timeout 5000ms', `waiting for ${locator}`])}
${inPageObject(site, `${cyan('await')} expect(${cyan('this')}.page.${locator}).toBeVisible();`, 'toBeVisible')}`;
};

const server: WriteError = (stable, varying, site) => {
  const [method = 'GET', path = '/'] = stable.pick(site.domain.endpoints).split(' ');
  const status = stable.pick([500, 502, 503]);
  return `Error: ${method} ${fillPath(varying, path)} answered ${status}, request ${hex(varying, 16)}

${matcher('received', 'toBe', 'expected')} ${dim('// Object.is equality')}

Expected: ${green('200')}
Received: ${red(String(status))}
${inPageObject(site, `expect(response.status()).toBe(${yellow('200')});`, 'toBe')}`;
};

const timeout: WriteError = (stable, varying, site) => {
  const locator = `getByRole('button', { name: '${stable.pick(site.domain.buttons)}' })`;
  return `${red('Test timeout of 30000ms exceeded.')}

Error: locator.click: Test timeout of 30000ms exceeded.
${callLog([
  `waiting for ${locator}`,
  `  - locator resolved to <button disabled type="submit" id="b-${varying.integer(100, 999)}">…</button>`,
  '  - attempting click action',
  '    2 × waiting for element to be visible, enabled and stable',
  '      - element is not enabled',
  '    - retrying click action',
  `    - waiting ${stable.pick([20, 100, 500])}ms`,
  `    ${varying.integer(48, 57)} × waiting for element to be visible, enabled and stable`,
  '      - element is not enabled',
])}
${inPageObject(site, `${cyan('await')} ${cyan('this')}.page.${locator}.click();`, 'click')}`;
};

const connection: WriteError = (stable, varying, site) => {
  const url = `${site.domain.host}${fillPath(varying, stable.pick(site.domain.pages))}`;
  return `Error: page.goto: net::ERR_CONNECTION_REFUSED at ${url}
${callLog([`navigating to "${url}", waiting until "load"`])}

${stack(site, 'tests/support/fixtures.ts:18:16')}`;
};

const unstable: WriteError = (stable, varying, site) => {
  const locator = `getByRole('button', { name: '${stable.pick(site.domain.buttons)}' })`;
  const obstacle = stable.chance(0.5)
    ? `<div class="toast" id="toast-${varying.integer(1_000, 9_999)}">…</div> intercepts pointer events`
    : 'element was detached from the DOM, retrying';
  const statement = `${cyan('await')} page.${locator}.click();`;
  return `TimeoutError: locator.click: Timeout 10000ms exceeded.
${callLog([
  `waiting for ${locator}`,
  '  - attempting click action',
  '    - element is visible, enabled and stable',
  '    - scrolling into view if needed',
  `    - ${obstacle}`,
  `    ${varying.integer(12, 19)} × retrying click action`,
])}

${codeFrame(site.line + 5, ['', `>    ${statement}`, '  });'], caretAt(statement, 'click') + 4)}
${stack(site)}`;
};

export const playwrightErrors: Record<FailureKind, WriteError> = {
  assertion,
  missing,
  server,
  timeout,
  connection,
  unstable,
  interrupted: () => 'Test was interrupted.',
};
