import { PathText } from './path-text.tsx';

export const LONG_PATH = '.checks/(shop)/packages/checkout/src/payment/saved-card.test.ts:1047';

export const NarrowPath = () => (
  <p style={{ width: 200 }}>
    <PathText path={LONG_PATH} />
  </p>
);
