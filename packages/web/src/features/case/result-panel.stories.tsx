import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from '../../api/client.ts';
import { resultWithSteps } from '../../sample-data.ts';
import { sampleAttachment } from '../attachments/sample-attachments.ts';
import { ResultPanel } from './result-panel.tsx';

/** What serves the stories has the files of the repository, beside which the service would have its own. */
const fileOf = (path: string): string => `../../${path}`;

const [RUN, PROJECT, MARK] = ['docs/images/run.png', 'docs/images/project-dark.png', 'packages/web/public/favicon.svg'];

const attachments = [
  sampleAttachment(1, { name: 'screenshot.png', path: fileOf(RUN) }),
  sampleAttachment(2, { name: 'huge.png', path: fileOf(`${PROJECT}?huge`), width: 40_000, height: 40_000 }),
  sampleAttachment(3, { name: 'lies.png', path: fileOf('LICENSE'), width: null, height: null }),
  sampleAttachment(8, { name: 'gone.png', path: fileOf('docs/images/gone.png') }),
  sampleAttachment(9, { name: 'mark-expected', path: fileOf(MARK), width: null, height: null }),
  sampleAttachment(10, { name: 'mark-actual', path: fileOf(RUN), width: null, height: null }),
  sampleAttachment(4, { name: 'home-expected.png', path: fileOf(RUN) }),
  sampleAttachment(5, { name: 'home-actual.png', path: fileOf(`${RUN}?again`) }),
  sampleAttachment(6, { name: 'notice.txt', contentType: 'text/plain', path: fileOf('LICENSE'), size: 1_000_000 }),
  sampleAttachment(7, { name: 'before.png', path: fileOf(PROJECT), attempt: 1 }),
];

export const WithAttachments = () => (
  <QueryClientProvider client={queryClient}>
    <ResultPanel result={{ ...resultWithSteps, attempts: [{ error: 'expected 0, got 1' }], attachments }} />
  </QueryClientProvider>
);

export const Printed = () => (
  <ResultPanel
    result={{
      ...resultWithSteps,
      attempts: [
        {
          error: 'expected 0, got 1',
          output: [
            { stream: 'stdout', text: Array.from({ length: 39 }, (_, at) => `line ${at + 1}\n`).join('') },
            { stream: 'stderr', text: 'a warning\nand its rest\n' },
            { stream: 'note', text: '7 lines left out' },
          ],
          leftOut: [{ name: 'video.webm', contentType: 'video/webm', size: 60_000_000, why: 'larger than 20 MB' }],
        },
      ],
    }}
  />
);
