import { inQuotes, keyHeader, packageUrl, playwrightSetUp, uploadReport } from '../docs/snippets.ts';

export interface Step {
  readonly title: string;
  /** What is copied, for screen readers. */
  readonly what: string;
  readonly text: string;
  readonly kind: 'shell' | 'program' | 'yaml' | 'groovy';
}

export interface Sender {
  readonly id: string;
  readonly label: string;
  readonly steps: readonly Step[];
}

export interface Place {
  readonly origin: string;
  readonly authEnabled: boolean;
  readonly projectName: string;
}

/** Every way to send runs that the interface explains; each text works as it stands. */
export const sendersOf = (place: Place): readonly Sender[] => {
  const { origin, projectName } = place;
  const options = `{ serverUrl: '${origin}', projectName: ${JSON.stringify(projectName)} }`;
  const install = shell(
    'Install the reporter',
    'the command that installs',
    `npm install --save-dev ${packageUrl(origin)}`,
  );
  const upload = (path: string, before = ''): Step =>
    shell('Run the tests and upload their report', 'the commands', before + uploadReport(origin, projectName, path));
  return [
    {
      id: 'playwright',
      label: 'Playwright',
      steps: [install, program('Add it to the configuration', playwrightSetUp(origin, projectName))],
    },
    {
      id: 'vitest',
      label: 'Vitest',
      steps: [
        install,
        program(
          'Add it to the configuration',
          `// vitest.config.ts
export default defineConfig({
  test: {
    reporters: ['default', ['@assay/reporter/vitest', ${options}]],
  },
});`,
        ),
      ],
    },
    {
      id: 'jest',
      label: 'Jest',
      steps: [
        install,
        program(
          'Add it to the configuration',
          `// jest.config.js
module.exports = {
  reporters: ['default', ['@assay/reporter/jest', ${options}]],
  testLocationInResults: true,
};`,
        ),
      ],
    },
    { id: 'junit', label: 'JUnit', steps: [upload('target/surefire-reports', 'mvn test\n')] },
    { id: 'pytest', label: 'pytest', steps: [upload('junit.xml', 'pytest --junitxml=junit.xml\n')] },
    { id: 'go', label: 'Go', steps: [upload('go-test.json', 'go test -json ./... > go-test.json\n')] },
    { id: 'curl', label: 'curl', steps: [shell('Send a report without Node', 'the command', importCommand(place))] },
    { id: 'github', label: 'GitHub', steps: [yaml('A job of GitHub Actions', githubJob(place))] },
    { id: 'gitlab', label: 'GitLab', steps: [yaml('A job of GitLab CI', gitlabJob(place))] },
    { id: 'jenkins', label: 'Jenkins', steps: [{ ...yaml('A Jenkinsfile', jenkinsfile(place)), kind: 'groovy' }] },
  ];
};

const shell = (title: string, what: string, text: string): Step => ({ title, what, text, kind: 'shell' });
const program = (title: string, text: string): Step => ({ title, what: 'the configuration', text, kind: 'program' });
const yaml = (title: string, text: string): Step => ({ title, what: 'the job', text, kind: 'yaml' });

const importCommand = ({ origin, authEnabled, projectName }: Place): string =>
  `curl --fail-with-body '${origin}/api/import?projectName=${encodeURIComponent(projectName).replaceAll("'", '%27')}&branch=main'${keyHeader(authEnabled)} \\
  -F file=@junit.xml`;

const assayUpload = (origin: string): string => `npx -y -p ${packageUrl(origin)} assay upload test-results`;

const githubJob = ({ origin, authEnabled, projectName }: Place): string => `# .github/workflows/test.yml
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    env:
      ASSAY_URL: ${origin}
      ASSAY_PROJECT: ${JSON.stringify(projectName)}${authEnabled ? '\n      ASSAY_API_KEY: ${{ secrets.ASSAY_API_KEY }}' : ''}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm ci
      - run: npm test
      - if: \${{ !cancelled() }}
        run: ${assayUpload(origin)}`;

const gitlabJob = ({ origin, authEnabled, projectName }: Place): string => `# .gitlab-ci.yml${
  authEnabled ? '; ASSAY_API_KEY is a masked variable of the project' : ''
}
test:
  image: node:22
  variables:
    ASSAY_URL: ${origin}
    ASSAY_PROJECT: ${JSON.stringify(projectName)}
  script:
    - npm ci
    - npm test
  after_script:
    - ${assayUpload(origin)}`;

const jenkinsfile = ({ origin, authEnabled, projectName }: Place): string => `// Jenkinsfile
pipeline {
  agent any
  environment {
    ASSAY_URL = '${origin}'
    ASSAY_PROJECT = '${inQuotes(projectName)}'${authEnabled ? "\n    ASSAY_API_KEY = credentials('assay-api-key')" : ''}
  }
  stages {
    stage('Test') {
      steps {
        sh 'npm ci && npm test'
      }
    }
  }
  post {
    always {
      sh '${assayUpload(origin)}'
    }
  }
}`;
