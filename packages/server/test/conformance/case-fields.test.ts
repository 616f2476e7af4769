import type { SubmittedCase, TestCaseDetails } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { richCase, submission, testCase } from './build.ts';
import { SUBMIT, request, sendJson } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const storeCase = async (fields: Partial<SubmittedCase>): Promise<TestCaseDetails> => {
  const { testRunId } = await server.client.submitRun({ body: submission({ testCases: [testCase(fields)] }) });
  const run = await server.client.getRun({ params: { id: testRunId } });
  return server.client.getTestCase({ params: { id: run.testCases[0]!.id } });
};

describe('a location', () => {
  it.each<[sent: string | undefined, filePath: string, line: number | null, column: number | null]>([
    ['tests/a.spec.ts:3:5', 'tests/a.spec.ts', 3, 5],
    ['tests/a.spec.ts:3', 'tests/a.spec.ts', 3, null],
    ['tests/a.spec.ts', 'tests/a.spec.ts', null, null],
    ['/home/ci/a b/ü.spec.ts:120:33', '/home/ci/a b/ü.spec.ts', 120, 33],
    ['C:\\a\\b.ts:3:1', 'C:/a/b.ts', 3, 1],
    ['C:\\a\\b.ts:3', 'C:/a/b.ts', 3, null],
    ['C:\\a\\b.ts', 'C:/a/b.ts', null, null],
    ['D:/mixed\\path/c.ts:10:2', 'D:/mixed/path/c.ts', 10, 2],
    ['odd:name/d.ts:7:9', 'odd:name/d.ts', 7, 9],
    ['v:1:2/e.ts:7:9', 'v:1:2/e.ts', 7, 9],
    [undefined, 'unknown', null, null],
  ])('%s is in the file %s', async (location, filePath, line, column) => {
    const details = await storeCase({ location });
    expect(details).toMatchObject({ filePath, line, column });
    const suffix = [line, column].filter((part) => part !== null).map((part) => `:${part}`);
    expect(details.location).toBe(filePath + suffix.join(''));
    const [test] = await server.client.listTests({ params: { id: details.testRun.projectId } });
    expect(test?.filePath).toBe(filePath);
  });
});

describe('query strings', () => {
  it('are removed from the URLs of requests', async () => {
    const urls = [
      'https://a.test/api/users?token=s3cr3t-1',
      'https://a.test/?token=s3cr3t-2',
      'http://a.test:8080/path/?a=1&token=s3cr3t-3',
      '/relative/path?token=s3cr3t-4',
      'not a url?token=s3cr3t-5',
      'https://a.test/plain',
    ];
    const networkRequests = urls.map((url) => ({ method: 'GET', url, status: 200, duration: 1, resourceType: 'xhr' }));
    const details = await storeCase({ networkRequests });
    expect(details.networkRequests.map(({ url }) => url).sort()).toEqual(
      urls.map((url) => url.replace(/\?.*/, '')).sort(),
    );
    expect(JSON.stringify(details)).not.toContain('s3cr3t');
  });

  it('are removed from the URL of the navigation', async () => {
    const details = await storeCase({ webVitals: { navigation: { url: 'https://a.test/shop?session=s3cr3t' } } });
    expect(details.webVitals?.navigation?.url).toBe('https://a.test/shop');
  });

  it('are in no answer about the run either', async () => {
    const details = await storeCase({
      networkRequests: [{ method: 'GET', url: 'https://a.test/x?token=s3cr3t', status: 200, duration: 1 }],
      webVitals: { navigation: { url: 'https://a.test/y?token=s3cr3t' } },
    });
    const run = `/api/test-runs/${details.testRun.id}`;
    for (const path of [run, `${run}/network-requests`]) {
      expect(await (await request(server, path)).text()).not.toContain('s3cr3t');
    }
  });
});

describe('the details of a case', () => {
  it('are answered as they were sent', async () => {
    const sent = richCase();
    const details = await storeCase(sent);
    const { metadata, browser, tags, ...others } = sent;
    expect(details).toMatchObject(others);
    expect(details).toMatchObject({ metadata, browser, flaky: false });
    expect([...details.tags].sort()).toEqual([...tags!].sort());
  });

  it('keep every figure of the navigation', async () => {
    const navigation = {
      url: 'https://a.test/',
      ttfb: 12.5,
      domInteractive: 80,
      domContentLoaded: 95,
      loadComplete: 0,
    };
    const body = { ...submission(), testCases: [{ ...testCase(), webVitals: { navigation, lcp: 0 } }] };
    const { testRunId } = (await (await sendJson(server, 'POST', SUBMIT, body)).json()) as { testRunId: number };
    const run = await server.client.getRun({ params: { id: testRunId } });
    expect(run.testCases[0]?.webVitals).toMatchObject({ navigation, lcp: 0 });
  });

  it('keep steps in their order and depth', async () => {
    const leaf = (title: string) => ({ title, duration: 0, category: 'pw:api' });
    const steps = [
      { ...leaf('a'), steps: [{ ...leaf('a.a'), steps: [leaf('a.a.a')] }, leaf('a.b')] },
      leaf('b'),
      leaf('a'),
    ];
    expect((await storeCase({ steps })).steps).toMatchObject(steps);
  });

  it('are empty when they were not sent', async () => {
    const details = await storeCase({});
    expect(details).toMatchObject({ steps: [], networkRequests: [], webVitals: null, traces: [], attachments: [] });
    expect(details).toMatchObject({ tags: [], annotations: [], browser: null, error: null });
  });

  it.each<[suitePath: SubmittedCase['suitePath'], title: string, told: string]>([
    [['cart', 'with a voucher'], 'is cheaper', 'cart › with a voucher › is cheaper'],
    ['cart', 'is cheaper', 'cart › is cheaper'],
    [['cart', 'with a voucher'], 'cart › with a voucher › is cheaper', 'cart › with a voucher › is cheaper'],
    [['cart', 'with a voucher'], 'cart with a voucher is cheaper', 'cart with a voucher is cheaper'],
    [[], 'is cheaper', 'is cheaper'],
    [['', ' '], 'is cheaper', 'is cheaper'],
    [['a'.repeat(3_000)], 'is cheaper', `${'a'.repeat(987)} › is cheaper`],
  ])('put the describes %j before the title %s', async (suitePath, title, told) => {
    expect((await storeCase({ suitePath, title })).title).toBe(told);
  });

  it('take the browser as a name or as an object with a name', async () => {
    expect((await storeCase({ browser: 'webkit' })).browser).toBe('webkit');
    expect((await storeCase({ browser: { name: 'webkit' } })).browser).toBe('webkit');
    expect((await storeCase({ browser: { browserName: 'firefox', channel: 'nightly' } })).browser).toBe('firefox');
    expect((await storeCase({ browser: { name: '', channel: 'msedge' } })).browser).toBe('msedge');
  });
});
