import type { TestCaseDetails } from '@assay/contract';
import { ConsolePanel } from './console-panel.tsx';
import { MorePanel } from './more-panel.tsx';
import { RequestsPanel } from './requests-panel.tsx';
import { ResultPanel } from './result-panel.tsx';
import type { SectionName } from './sections.ts';
import { StepsPanel } from './steps-panel.tsx';
import { TracesPanel } from './traces-panel.tsx';
import { VitalsPanel } from './vitals-panel.tsx';

interface Props {
  readonly name: SectionName;
  readonly result: TestCaseDetails;
}

export const CaseSection = ({ name, result }: Props) => {
  switch (name) {
    case 'result':
      return <ResultPanel result={result} />;
    case 'steps':
      return <StepsPanel result={result} />;
    case 'requests':
      return <RequestsPanel requests={result.networkRequests} />;
    case 'vitals':
      return result.webVitals && <VitalsPanel vitals={result.webVitals} />;
    case 'console':
      return <ConsolePanel messages={result.console} />;
    case 'traces':
      return <TracesPanel traces={result.traces} />;
    case 'details':
      return <MorePanel result={result} />;
  }
};
