import { resultWithSteps } from '../../sample-data.ts';
import { StepsPanel } from './steps-panel.tsx';

export const Failed = () => <StepsPanel result={resultWithSteps} />;
