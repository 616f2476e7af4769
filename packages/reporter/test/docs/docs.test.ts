import { globSync, readdirSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, posix } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { curlCommand, firstSteps, playwrightSetUp, uploadCommand } from '../../../web/src/features/docs/snippets.ts';
import { sendersOf } from '../../../web/src/features/send/senders.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { type OpenService, openService } from '../service.ts';
import { type Desk, ROOT, createDesk, hasTools, readDocument, snippetsOf } from './snippets.ts';

let service: OpenService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const shellIn = (path: string): string[] =>
  snippetsOf(path).flatMap(({ language, text }) => (language === 'sh' ? [text] : []));

/** What takes minutes, or runs these tests again. */
const OF_NPM =
  /^(?:npm ci && npm (?:start|test)|npm install (?:--save-dev )?[@/\w-]+|npx playwright test\n(?:#.*\n)*|npx @assay\/server.*)\s*$/;

const DOCUMENTS = [
  'packages/reporter/README.md',
  'packages/reporter/docs/command-line.md',
  'packages/server/README.md',
  'docs/ci.md',
];

/** Passing reports where the documents have them. */
const fillDesk = (desk: Desk): void => {
  for (const path of [
    'target/surefire-reports/TEST-cart.xml',
    'build/test-results/junit.xml',
    'test-results/junit.xml',
    'junit.xml',
    'old-reports/junit.xml',
  ]) {
    desk.write(
      path,
      '<testsuite name="shop" tests="1"><testcase classname="shop.Cart" name="pays" time="1"/></testsuite>',
    );
  }
};

describe.skipIf(!hasTools())('the README', () => {
  it('has commands that work one after another, and answer what it says', async () => {
    using desk = createDesk(service.url);
    fillDesk(desk);
    desk.write('playwright-report/index.html', '<title>Report</title>');
    desk.write('test-results/refunds/trace.zip', 'a trace');
    desk.write('test-results/refunds/shot.png', 'a picture');
    await desk.run(
      'zip -q e2e-results.zip test-results/junit.xml && cd playwright-report && zip -qr ../playwright-report.zip .',
    );
    const [quickStart, ...others] = shellIn('README.md');
    expect(quickStart).toMatch(OF_NPM);
    const commands = others.filter((text) => !OF_NPM.test(text) && !text.includes('SERVICE_AUTH'));
    expect(commands).toHaveLength(4);
    for (const command of commands) {
      const { code, stdout, stderr } = await desk.run(command);
      expect(code, `${command}\n${stdout}${stderr}`).toBe(0);
      const answers = stdout.split('\n');
      for (const [, answer] of command.matchAll(/^# (\{.*)$/gm)) {
        const [start] = answer!.split(', …') as [string];
        const known = start.replace(/"status":"\w+","totalTests":\d+$/, '');
        expect(
          answers.some((line) => line.startsWith(known)),
          `${start}\n${stdout}`,
        ).toBe(true);
      }
    }
    const page = await fetch(`${service.url}/api/files/reports/1/index.html`);
    expect(await page.text()).toContain('<title>Report</title>');
  });

  it('has commands that turn authentication on', async () => {
    const block = shellIn('README.md').find((text) => text.includes('SERVICE_AUTH'))!;
    const [settings, rest] = block.split('npm start\n') as [string, string];
    using desk = createDesk(service.url);
    const { stdout } = await desk.run(`${settings}\necho "$SERVICE_AUTH_ENABLED $SERVICE_AUTH_SECRET"`);
    const [SERVICE_AUTH_ENABLED, SERVICE_AUTH_SECRET] = stdout.trim().split(' ') as [string, string];
    await using closed = await openService({ SERVICE_AUTH_ENABLED, SERVICE_AUTH_SECRET });
    using owner = createDesk(closed.url);
    const ended = await owner.run(rest);
    expect(ended, ended.stdout).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/"success":true[^]*"key":"pd_[0-9a-f]{64}"/),
    });
  });

  it('names scripts that there are', () => {
    const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> };
    const named = ['README.md', 'CONTRIBUTING.md'].flatMap((path) => [
      ...readDocument(path).matchAll(/npm run ([\w:-]+)/g),
    ]);
    expect(named.map(([, name]) => name!).filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe.skipIf(!hasTools())('the documents of the reporter and of CI', () => {
  it.each(DOCUMENTS)('%s has commands that work', async (path) => {
    using desk = createDesk(service.url, { ASSAY_PROJECT: 'commands', ASSAY_API_KEY: 'none' });
    fillDesk(desk);
    for (const snippet of shellIn(path).filter((text) => !OF_NPM.test(text))) {
      // What is sent to a service without authentication may have any key, and a gate needs a run.
      const { code, stdout, stderr } = await desk.run(
        snippet.includes('assay gate') && !snippet.includes('upload') ? `assay upload junit.xml\n${snippet}` : snippet,
      );
      expect(code, `${snippet}\n${stdout}${stderr}`).toBe(0);
    }
  });

  it('has jobs for CI that can be read, whose commands of ours work', async () => {
    const yaml = snippetsOf('docs/ci.md').filter(({ language }) => language === 'yaml');
    const jenkins = snippetsOf('docs/ci.md').filter(({ language }) => language === 'groovy');
    const commands = [
      ...yaml.flatMap(({ text }) => commandsIn(parse(text))),
      ...jenkins.flatMap(({ text }) => [...text.matchAll(/\bsh '(.*)'/g)].map(([, command]) => command!)),
    ].filter((command) => command.includes('assay '));
    expect(commands).toHaveLength(6);
    using desk = createDesk(service.url, { ASSAY_PROJECT: 'ci' });
    fillDesk(desk);
    desk.place('go-test.json', 'go-test.json');
    const ofKey = 'ASSAY_RUN_KEY=acme/shop-7-test';
    await desk.run(`${ofKey} assay upload junit.xml`);
    for (const command of commands) {
      // In a job of its own, a gate has only the key to find the run by.
      const given = command.includes('--wait') ? `${ofKey} ${command}` : command;
      const { code, stdout, stderr } = await desk.run(given);
      // The sample of Go has failures, for which the gate is there.
      expect(code, `${command}\n${stdout}${stderr}`).toBe(command.includes('--max-failed 0') ? 1 : 0);
    }
  });

  it('has a path for each tool at which its report is read', async () => {
    const rows = [...readDocument('docs/ci.md').matchAll(/^\| ([^|]+) \| [^|]+ \| `(assay upload [^`]+)` \|$/gm)];
    expect(rows.length).toBeGreaterThan(30);
    using desk = createDesk(service.url);
    for (const [at, [, runner, command]] of rows.entries()) {
      const path = command!.replace('assay upload ', '').replace('*/', 'module/');
      const sample = SAMPLES_BY_RUNNER.find(([pattern]) => pattern.test(runner!))?.[1] ?? 'junit-surefire.xml';
      const isFile = (name: string): boolean => /\.\w+$/.test(name);
      const cwd = join(desk.folder, String(at));
      desk.place(sample, join(String(at), !isFile(path) && isFile(sample) ? join(path, sample) : path));
      let said = '';
      const stream = { isTTY: false, write: (text: string) => Boolean((said += text)) };
      const terminal = { env: {}, cwd, stdout: stream, stderr: stream };
      expect(await runCommand(['upload', '--dry-run', path], terminal), `${runner}: ${said}`).toBe(0);
    }
  });

  it('has settings that are programs, and names entries of the package that there are', () => {
    const { exports } = JSON.parse(readDocument('packages/reporter/package.json')) as { exports: object };
    const documents = ['README.md', 'packages/reporter/README.md'];
    const snippets = documents.flatMap(snippetsOf).filter(({ language }) => language === 'ts' || language === 'js');
    expect(snippets.length).toBeGreaterThan(5);
    for (const { text } of [...snippets, { text: playwrightSetUp('https://assay.example.org') }]) {
      const named = [...text.matchAll(/'@assay\/reporter(\/\w+)?'/g)].map(([, entry]) => `.${entry ?? ''}`);
      expect(named.length, text).toBeGreaterThan(0);
      for (const entry of named) expect(Object.keys(exports)).toContain(entry);
      // A few lines of a config stand for themselves.
      const isPart = /^(?:\/\/.*\n)*reporter:/.test(text);
      const program = stripTypeScriptTypes(
        isPart ? `({${text}})` : text.replaceAll(/^(?:import .*|export default )/gm, ''),
      );
      const read = runInNewContext(`(() => {${isPart ? 'return' : ''} ${program}\n})`, {}) as unknown;
      expect(read).toBeTypeOf('function');
    }
  });
});

describe.skipIf(!hasTools())('the interface', () => {
  it('shows commands that work', async () => {
    using desk = createDesk(service.url);
    fillDesk(desk);
    const project = `Ann's "shop"`;
    const snippets = [
      curlCommand(service.url, false, project),
      uploadCommand(service.url, project),
      firstSteps(service.url),
    ];
    for (const snippet of snippets) {
      const { code, stdout, stderr } = await desk.run(snippet);
      expect(code, `${snippet}\n${stdout}${stderr}`).toBe(0);
    }
    expect(await service.runsOf(project)).toHaveLength(2);
  });

  it('explains every sender with commands that work, jobs that can be read and settings that are programs', async () => {
    using desk = createDesk(service.url, { ASSAY_API_KEY: 'none' });
    fillDesk(desk);
    desk.place('go-test.json', 'go-test.json');
    // Most of them are the same with authentication and without.
    const commands = new Map<string, string>();
    const inJob = `ASSAY_URL=${service.url} ASSAY_PROJECT=ci `;
    for (const authEnabled of [false, true]) {
      const senders = sendersOf({ origin: service.url, authEnabled, projectName: `Ann's "shop"` });
      expect(senders.map(({ id }) => id)).toEqual(
        'playwright vitest jest junit pytest go curl github gitlab jenkins'.split(' '),
      );
      for (const { id, steps } of senders) {
        for (const { kind, text } of steps) {
          if (kind === 'program') expect(() => stripTypeScriptTypes(asProgram(text)), text).not.toThrow();
          else for (const command of oursIn(kind, text)) commands.set(kind === 'shell' ? command : inJob + command, id);
        }
      }
    }
    for (const [command, id] of commands) {
      const { code, stdout, stderr } = await desk.run(command);
      expect(code, `${id}: ${command}\n${stdout}${stderr}`).toBe(0);
    }
  });

  it('shows a command with a key that the shell puts in', async () => {
    using desk = createDesk(service.url, { ASSAY_API_KEY: 'none' });
    expect((await desk.run(curlCommand(service.url, true))).code).toBe(0);
  });
});

it('no other document has commands but those of npm', () => {
  const packages = readdirSync(join(ROOT, 'packages')).flatMap((name) => [`packages/${name}`, `packages/${name}/docs`]);
  const documents = ['.', 'docs', ...packages].flatMap((folder) =>
    globSync('*.md', { cwd: join(ROOT, folder) }).map((name) => posix.join(folder, name)),
  );
  const commands = documents
    .filter((path) => path !== 'README.md' && !DOCUMENTS.includes(path))
    .flatMap((path) => shellIn(path).filter((text) => !OF_NPM.test(text)));
  expect(documents.length).toBeGreaterThan(10);
  expect(commands).toEqual([]);
});

/** A few lines of a configuration, or a whole one. */
const asProgram = (text: string): string => (/^(?:\/\/.*\n)*reporter:/.test(text) ? `({${text}})` : text);

/** The commands of a step that send to a service, without those that run the tests. */
const oursIn = (kind: 'shell' | 'yaml' | 'groovy', text: string): string[] => {
  const all = kind === 'yaml' ? commandsIn(parse(text)) : kind === 'groovy' ? stepsIn(text) : [text];
  const ours = all.map((command) => command.replace(/^(?:mvn|pytest|go) .*\n/, ''));
  return ours.filter((command) => /^(?:curl|npx -y)/.test(command));
};

const stepsIn = (jenkinsfile: string): string[] =>
  [...jenkinsfile.matchAll(/\bsh '(.*)'/g)].map(([, command]) => command!);

/** All texts under `run` and `script`. */
const commandsIn = (value: unknown, isCommand = false): string[] => {
  if (typeof value === 'string') return isCommand ? value.split('\n') : [];
  if (Array.isArray(value)) return value.flatMap((item) => commandsIn(item, isCommand));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    commandsIn(item, ['run', 'script', 'after_script'].includes(name)),
  );
};

/** Of other tools the report is JUnit's. */
const SAMPLES_BY_RUNNER: readonly [RegExp, string][] = [
  [/^Playwright/, 'playwright-blob-1.zip'],
  [/^Vitest/, 'vitest.json'],
  [/^Jest/, 'jest.json'],
  [/^Mocha/, 'mocha.json'],
  [/^Cypress/, 'mochawesome.json'],
  [/^Cucumber/, 'cucumber.json'],
  [/^`node --test`/, 'junit-node.xml'],
  [/^TestNG/, 'testng'],
  [/^\.NET/, 'trx.trx'],
  [/^NUnit/, 'nunit.xml'],
  [/^xUnit/, 'xunit-net.xml'],
  [/^Go$/, 'go-test.json'],
  [/^cargo/, 'junit-nextest.xml'],
  [/^pytest/, 'junit-pytest.xml'],
  [/^stestr/, 'subunit.bin'],
  [/^Robot/, 'robot.xml'],
  [/^RSpec/, 'rspec.json'],
  [/^Bazel/, 'junit-bazel.xml'],
  [/^Other TAP/, 'tap-vitest-flat.tap'],
  [/^Allure/, 'allure'],
];
