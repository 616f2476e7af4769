import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ServiceEvent, joinEvents } from './events.ts';

const event: fc.Arbitrary<ServiceEvent> = fc.oneof(
  fc.record({ type: fc.constant('project' as const), projectId: fc.constant(1) }),
  fc.record({
    type: fc.constant('run' as const),
    kind: fc.constantFrom('stored' as const, 'changed' as const, 'deleted' as const),
    projectId: fc.constant(1),
    testRunId: fc.integer({ min: 1, max: 3 }),
  }),
);

describe('two events as one', () => {
  it('are of the same project, whatever they are', () => {
    fc.assert(
      fc.property(event, event, (a, b) => {
        expect(joinEvents(a, b).projectId).toBe(1);
      }),
    );
  });

  it('name a run only when both do and it is the same', () => {
    fc.assert(
      fc.property(event, event, (a, b) => {
        const joined = joinEvents(a, b);
        const same = a.type === 'run' && b.type === 'run' && a.testRunId === b.testRunId;
        expect(joined.type).toBe(same ? 'run' : 'project');
        if (joined.type === 'run' && b.type === 'run')
          expect(joined.kind === 'deleted').toBe(b.kind === 'deleted' || (a.type === 'run' && a.kind === 'deleted'));
      }),
    );
  });
});
