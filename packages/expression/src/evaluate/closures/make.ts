import { appendText, spreadArray, spreadObject } from '../access.ts';
import type { ArrayOp, ObjectOp, TemplateOp } from '../plan/operation.ts';
import type { Builder, Closure } from './builder.ts';

export const templateClosure = (operation: TemplateOp, builder: Builder): Closure => {
  const exprs = operation.exprs.map(builder.closure);
  const { quasis } = operation;
  return (slots) => {
    let text = quasis[0]!;
    for (let index = 0; index < exprs.length; index++)
      text = appendText(text, exprs[index]!(slots), quasis[index + 1]!, operation);
    return text;
  };
};

export const objectClosure = ({ props }: ObjectOp, builder: Builder): Closure => {
  if (props.every((prop) => 'key' in prop)) {
    const keys = props.map(({ key }) => key);
    const values = props.map(({ value }) => builder.closure(value));
    // A copy has all keys at once, as its own.
    const blank: Readonly<Record<string, unknown>> = Object.fromEntries(keys.map((key) => [key, undefined]));
    return (slots) => {
      const made = { ...blank };
      for (let index = 0; index < keys.length; index++) made[keys[index]!] = values[index]!(slots);
      return made;
    };
  }
  const writers = props.map((prop): ((target: [string, unknown][], slots: unknown[]) => void) => {
    if ('spread' in prop) {
      const spread = builder.closure(prop.spread);
      return (target, slots) => spreadObject(target, spread(slots), prop.spread);
    }
    const value = builder.closure(prop.value);
    return (target, slots) => void target.push([prop.key, value(slots)]);
  });
  return (slots) => {
    const entries: [string, unknown][] = [];
    for (const write of writers) write(entries, slots);
    return Object.fromEntries(entries);
  };
};

export const arrayClosure = ({ elements }: ArrayOp, builder: Builder): Closure => {
  const writers = elements.map((element): ((target: unknown[], slots: unknown[]) => void) => {
    if ('spread' in element) {
      const spread = builder.closure(element.spread);
      return (target, slots) => spreadArray(target, spread(slots), element.spread);
    }
    const value = builder.closure(element);
    return (target, slots) => void target.push(value(slots));
  });
  return (slots) => {
    const result: unknown[] = [];
    for (const write of writers) write(result, slots);
    return result;
  };
};
