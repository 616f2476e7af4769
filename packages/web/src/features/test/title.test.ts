import { describe, expect, it } from 'vitest';
import { splitTitle } from './title.ts';

describe('splitTitle', () => {
  it('takes the last part as the name', () => {
    expect(splitTitle('Checkout › by card › pays')).toEqual({ path: ['Checkout', 'by card'], name: 'pays' });
  });

  it('leaves a title without groups, or without a last part, whole', () => {
    expect(splitTitle('pays')).toEqual({ path: [], name: 'pays' });
    expect(splitTitle('pays › ')).toEqual({ path: [], name: 'pays › ' });
  });
});
