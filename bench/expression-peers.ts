import { Environment } from '@marcbachmann/cel-js';
import { compileExpression } from 'filtrex';
import { LogicEngine } from 'json-logic-engine';

/** The predicate of the bench in the languages of other libraries, each compiled as its documentation says. */
export const peers = (): Record<string, (params: { readonly t: object }) => unknown> => {
  const lower = (text: string): string => text.toLowerCase();
  const logic = new LogicEngine();
  logic.addMethod('lower', ([text]: [string]) => lower(text), { deterministic: true });
  const jsonLogic = logic.build({
    and: [
      { '===': [{ var: 't.status' }, 'failed'] },
      { '>': [{ var: 't.retries' }, 0] },
      { in: ['login', { lower: [{ var: 't.title' }] }] },
      { '>=': [{ '/': [{ var: 't.duration' }, 1000] }, 2.5] },
    ],
  }) as (data: unknown) => unknown;
  const cel = new Environment()
    .registerVariable('t', 'map')
    .parse(
      't.status == "failed" && t.retries > 0 && t.title.lowerAscii().contains("login") && t.duration / 1000.0 >= 2.5',
    );
  const filtrex = compileExpression(
    'status == "failed" and retries > 0 and holds(lower(title), "login") and duration / 1000 >= 2.5',
    { extraFunctions: { lower, holds: (text: string, part: string) => text.includes(part) } },
  ) as (row: object) => unknown;
  return {
    'json-logic-engine 5.0.7, built': jsonLogic,
    '@marcbachmann/cel-js 8.0.0, parsed': (params) => cel(params),
    'filtrex 3.1.0, compiled': ({ t }) => filtrex(t),
  };
};
