import type { Catalogue, Field } from '../catalogue/catalogue.ts';
import { nearestName } from '../catalogue/nearest.ts';

export interface NamedField {
  readonly name: string;
  readonly field: Field;
}

/** A field by its name, an alias, or either in other case. */
export function findField(catalogue: Catalogue, given: string): NamedField | undefined {
  if (Object.hasOwn(catalogue.fields, given)) return { name: given, field: catalogue.fields[given]! };
  const wanted = given.toLowerCase();
  let found: NamedField | undefined;
  for (const [name, field] of Object.entries(catalogue.fields)) {
    if (field.aliases?.includes(given)) return { name, field };
    if ([name, ...(field.aliases ?? [])].some((one) => one.toLowerCase() === wanted)) found ??= { name, field };
  }
  return found;
}

export function nearestField(catalogue: Catalogue, given: string): string | undefined {
  const names = Object.entries(catalogue.fields).flatMap(([name, field]) => [name, ...(field.aliases ?? [])]);
  return nearestName(given, names);
}

/** Fields that bare words look into: those the catalogue names, else all strings. */
export function textFields(catalogue: Catalogue): readonly NamedField[] {
  const names =
    catalogue.text ?? Object.keys(catalogue.fields).filter((name) => catalogue.fields[name]!.type === 'string');
  return names.flatMap((name) => findField(catalogue, name) ?? []);
}
