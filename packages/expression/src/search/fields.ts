import type { Catalogue, Field } from '../catalogue/catalogue.ts';
import { nearestName } from '../catalogue/nearest.ts';
import { lookUp } from '../tree/look-up.ts';

export interface NamedField {
  readonly name: string;
  readonly field: Field;
}

/** A field by its name, an alias, or either in other case; `owner.name` is a field of an object. */
export function findField(catalogue: Catalogue, given: string): NamedField | undefined {
  const own = lookUp(catalogue.fields, given);
  if (own) return { name: given, field: own };
  const wanted = given.toLowerCase();
  let found: NamedField | undefined;
  for (const [name, field] of Object.entries(catalogue.fields)) {
    if (field.aliases?.includes(given)) return { name, field };
    if ([name, ...(field.aliases ?? [])].some((one) => one.toLowerCase() === wanted)) found ??= { name, field };
  }
  const dot = found ? -1 : given.indexOf('.');
  const owner = dot < 0 ? undefined : findField(catalogue, given.slice(0, dot));
  const inner = owner?.field.fields && findField({ fields: owner.field.fields }, given.slice(dot + 1));
  if (!owner || !inner) return found;
  const nullable = owner.field.nullable || inner.field.nullable;
  return { name: `${owner.name}.${inner.name}`, field: { ...inner.field, nullable } };
}

/** The way from a row to a field: its own name, or the names of the objects that it is in. */
export function fieldPath(fields: Catalogue['fields'], name: string): readonly NamedField[] {
  const own = lookUp(fields, name);
  if (own) return [{ name, field: own }];
  const owner = Object.keys(fields).find((one) => name.startsWith(`${one}.`) && fields[one]!.fields)!;
  return [{ name: owner, field: fields[owner]! }, ...fieldPath(fields[owner]!.fields!, name.slice(owner.length + 1))];
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
