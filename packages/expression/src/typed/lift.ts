import type { Value } from '../tree/node.ts';
import { composites } from '../tree/value.ts';

/** Whether a constant can hold a value. */
export function isPlainValue(value: unknown): value is Value {
  try {
    composites(value, undefined);
    return true;
  } catch {
    return false;
  }
}
