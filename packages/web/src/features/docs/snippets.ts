/** The commands and settings that the interface offers to copy. */

/** The reporter and the command in the version of the service, which a closed network has too. */
export const packageUrl = (origin: string): string => `${origin}/assay-reporter.tgz`;

export const keyHeader = (authEnabled: boolean): string =>
  authEnabled ? ` \\\n  -H "Authorization: Bearer $ASSAY_API_KEY"` : '';

/** Inside single quotes of a shell. */
export const inQuotes = (text: string): string => text.replaceAll("'", `'\\''`);

export const curlCommand = (
  origin: string,
  authEnabled: boolean,
  projectName = 'shop',
): string => `curl ${origin}/api/test-runs/submit${keyHeader(authEnabled)} \\
  -H 'Content-Type: application/json' \\
  -d '{
    "projectName": ${inQuotes(JSON.stringify(projectName))},
    "status": "failed",
    "startTime": "${new Date().toISOString()}",
    "testCases": [
      {"title": "signs in", "status": "passed", "duration": 420, "location": "tests/account.spec.ts:12:3"},
      {"title": "pays by card", "status": "failed", "duration": 2600, "location": "tests/checkout.spec.ts:8:3",
       "error": "expected 200, got 502"}
    ]
  }'`;

export const playwrightSetUp = (
  origin: string,
  projectName = 'shop',
): string => `// npm install --save-dev ${packageUrl(origin)}
// playwright.config.ts
reporter: [
  ['list'],
  ['html'],
  ['@assay/reporter', { serverUrl: '${origin}', projectName: ${JSON.stringify(projectName)} }],
],`;

export const uploadCommand = (origin: string, projectName = 'shop'): string =>
  uploadReport(origin, projectName, 'test-results');

export const uploadReport = (origin: string, projectName: string, path: string): string =>
  `npx -y -p ${packageUrl(origin)} assay upload ${path} --url ${origin} --project '${inQuotes(projectName)}'`;

export const firstSteps = (
  origin: string,
): string => `curl ${origin}/api/test-runs/submit -H 'Content-Type: application/json' -d '{
  "projectName": "shop", "status": "failed", "startTime": "2026-01-31T09:00:00Z",
  "testCases": [
    {"title": "pays by card", "status": "passed", "duration": 1200, "retries": 1,
     "location": "tests/pay.spec.ts:12:5"},
    {"title": "refunds", "status": "failed", "duration": 4100,
     "location": "tests/pay.spec.ts:40:5", "error": "Expected 200, received 500"}
  ]}'
curl ${origin}/api/projects`;
