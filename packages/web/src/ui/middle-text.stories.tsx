import { LONG_TITLE } from '../sample-data.ts';
import { MiddleText } from './middle-text.tsx';

export const Narrow = () => (
  <a href="#title" style={{ display: 'block', width: 260 }}>
    <MiddleText text={LONG_TITLE} />
  </a>
);
