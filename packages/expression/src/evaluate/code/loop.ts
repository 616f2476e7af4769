import type { LambdaOp, MethodCall, Operation } from '../plan/operation.ts';
import { FREE_ITEMS } from '../run.ts';
import { startCode, stepsCode, truthCode, within } from './lambda.ts';
import { type Writer, plainTest, valueCode } from './writer.ts';

/** What is done with each element `e` of a list `l`, which is at `i`; `m` is what is made. */
interface Loop {
  readonly start?: string;
  /** By what the lambda gives. */
  readonly each: (given: string) => string;
  readonly gives: string;
  /** The lambda is only asked whether it holds. */
  readonly isTest?: boolean;
  /** Where there is no element. */
  readonly hole?: string;
}

const LOOPS: Readonly<Record<string, Loop>> = {
  some: { each: (holds) => `if(${holds})return true`, gives: 'false', isTest: true },
  every: { each: (holds) => `if(!${holds})return false`, gives: 'true', isTest: true },
  find: { each: (holds) => `if(${holds})return e`, gives: 'undefined', isTest: true, hole: 'e=undefined' },
  findIndex: { each: (holds) => `if(${holds})return i`, gives: '-1', isTest: true, hole: 'e=undefined' },
  filter: {
    start: '[]',
    each: (holds) => `if(${holds})m.push(e)`,
    gives: '(roomForItems(m.length,at),m)',
    isTest: true,
  },
  map: {
    start: '(roomForItems(l.length,at),[])',
    each: (made) => `m.push(${made})`,
    gives: 'm',
    hole: '{m.length=i+1;continue}',
  },
  reduce: { each: (made) => `m=${made}`, gives: 'm' },
};

/**
 * A method of a list with its lambda inside, so that an element is looked at once. It does what `library/lists` does. Its
 * function is made once, not for each call: it is given what it reads of the slots of others.
 */
export const loopCode = ({ name, args }: MethodCall, list: string, at: string, writer: Writer): string => {
  const { start = 'undefined', each, gives, isTest, hole = 'continue' } = LOOPS[name]!;
  const [lambda, first] = args as [LambdaOp, Operation?];
  const { slots } = lambda;
  const { js, temps, outer } = within(writer, slots, () => ({
    given: (isTest ? truthCode : valueCode)(lambda.body, writer),
    initial: first ? valueCode(first, writer) : start,
  }));
  const values = name === 'reduce' ? ['m', 'e', 'i', 'l'] : ['e', 'i', 'l'];
  const element = slots[values.indexOf('e')];
  const isPlain = element !== undefined && writer.plainSlots.has(element) ? `q${element}` : 'false';
  const bindings = slots.map((slot, index) => `a${slot}=${values[index] ?? 'undefined'}`);
  const others = slots.filter((slot) => slot !== element);
  const loop = `l${writer.loops.length}`;
  writer.loops.push(
    [
      `const ${loop}=(${['l', 'at', ...outer].join()})=>{${startCode(temps, [], writer)}`,
      `let m=${js.initial};if(l.length>${FREE_ITEMS})charge(2*l.length,at);for(let i=0;i<l.length;i++){let e=l[i];`,
      isPlain === 'false' ? '' : `const ${isPlain}=${plainTest('e')};`,
      `if(!${isPlain}&&(e=readPlainElement(l,i,at))===HOLE)${hole};`,
      bindings.length > 0 ? `const ${bindings.join()};` : '',
      startCode([], others, writer),
      `${stepsCode(lambda, writer)}${each(js.given)}}return ${gives}};`,
    ].join(''),
  );
  return `${loop}(${[list, at, ...outer].join()})`;
};
