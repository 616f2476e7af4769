import type { MethodCall } from '../plan/operation.ts';
import { shortMapper, shortSearch } from '../short-text.ts';
import type { Closure } from './closure.ts';

type General = (receiver: unknown, slots: unknown[]) => unknown;

/** The common methods of short texts, each with a closure of its own so that engines can inline it. */
export const textMethodClosure = (call: MethodCall, object: Closure, general: General): Closure | undefined => {
  const mapper = shortMapper(call);
  if (mapper !== undefined) return mapperClosure(call.name, object, general, mapper);
  const search = shortSearch(call);
  return search && searchClosure(call.name, object, general, search.most, search.part);
};

const mapperClosure = (name: string, object: Closure, general: General, most: number): Closure | undefined => {
  if (name === 'toLowerCase')
    return (slots) => {
      const self = object(slots);
      return typeof self === 'string' && self.length <= most ? self.toLowerCase() : general(self, slots);
    };
  if (name === 'toUpperCase')
    return (slots) => {
      const self = object(slots);
      return typeof self === 'string' && self.length <= most ? self.toUpperCase() : general(self, slots);
    };
  if (name !== 'trim') return undefined;
  return (slots) => {
    const self = object(slots);
    return typeof self === 'string' && self.length <= most ? self.trim() : general(self, slots);
  };
};

const searchClosure = (name: string, object: Closure, general: General, most: number, part: string): Closure => {
  if (name === 'includes')
    return (slots) => {
      const self = object(slots);
      return typeof self === 'string' && self.length <= most ? self.includes(part) : general(self, slots);
    };
  if (name === 'startsWith')
    return (slots) => {
      const self = object(slots);
      return typeof self === 'string' && self.length <= most ? self.startsWith(part) : general(self, slots);
    };
  return (slots) => {
    const self = object(slots);
    return typeof self === 'string' && self.length <= most ? self.endsWith(part) : general(self, slots);
  };
};
