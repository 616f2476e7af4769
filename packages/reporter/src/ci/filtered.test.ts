import { expect, it } from 'vitest';
import { isFiltered } from './filtered.ts';

it.each([
  ['playwright', 'test', false],
  ['playwright', 'test --project web --shard=1/3 --workers 4 --retries=2', false],
  ['playwright', 'test --reporter dot -x', false],
  ['playwright', 'test tests/cart.spec.ts', true],
  ['playwright', 'test cart --project web', true],
  ['playwright', 'test -g @smoke', true],
  ['playwright', 'test --grep=@smoke', true],
  ['playwright', 'test --grep-invert @slow', true],
  ['playwright', 'test --last-failed', true],
  ['playwright', 'test --only-changed=main', true],
  ['playwright', 'test --from-the-future', null],
  ['playwright', 'test --from-the-future cart', null],
  ['playwright', 'test --from-the-future -g cart', true],
  ['vitest', 'run', false],
  ['vitest', 'run --coverage --project unit', false],
  ['vitest', 'run src/cart', true],
  ['vitest', 'src/cart', true],
  ['vitest', 'run -t total', true],
  ['jest', '', false],
  ['jest', '--ci --runInBand --config jest.config.js', false],
  ['jest', 'cart', true],
  ['jest', '--onlyChanged', true],
] as const)('%s %s: %s', (runner, line, filtered) => {
  expect(isFiltered(runner, line.split(' ').filter(Boolean))).toBe(filtered);
});
