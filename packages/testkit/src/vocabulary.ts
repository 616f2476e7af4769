import { kebab, pascal } from './tokens.ts';
import { backOffice } from './vocabulary/back-office.ts';
import { dataPipeline } from './vocabulary/data-pipeline.ts';
import { designSystem } from './vocabulary/design-system.ts';
import type { Domain } from './vocabulary/domain.ts';
import { mobileApi } from './vocabulary/mobile-api.ts';
import { shop } from './vocabulary/shop.ts';

export type { Domain, Framework } from './vocabulary/domain.ts';

export const domains = {
  shop,
  'back-office': backOffice,
  'design-system': designSystem,
  'mobile-api': mobileApi,
  'data-pipeline': dataPipeline,
};
export type DomainName = keyof typeof domains;
export const domainNames = Object.keys(domains) as DomainName[];

/** A test file as the vocabulary can name it: a feature, or a feature seen by one actor. */
export interface FileSubject {
  readonly path: string;
  readonly area: string;
  readonly feature: string;
  readonly describe: string;
  readonly behaviours: readonly string[];
}

/** The plain files first, then those of each actor. */
export const fileSubjects = (domain: Domain): FileSubject[][] => {
  const actors: [string, string][] = [['', ''], ...Object.entries(domain.actors)];
  return actors.map(([suffix, actor]) =>
    Object.entries(domain.areas).flatMap(([area, features]) =>
      Object.entries(features).map(([feature, behaviours]) => ({
        path: filePath(domain, area, feature, suffix),
        area,
        feature,
        describe: actor === '' ? `${area} › ${feature}` : `${area} › ${feature} › ${actor}`,
        behaviours,
      })),
    ),
  );
};

const filePath = (domain: Domain, area: string, feature: string, suffix: string): string => {
  const name = suffix === '' ? kebab(feature) : `${kebab(feature)}.${suffix}`;
  switch (domain.framework) {
    case 'junit':
      return `src/test/java/com/acme/mobile/${kebab(area).replaceAll('-', '')}/${pascal(feature)}${pascal(suffix)}Test.java`;
    case 'vitest':
      return `packages/${kebab(area)}/src/${name}.test.ts`;
    case 'playwright':
      return domain.name === 'design-system'
        ? `src/components/${kebab(area)}/${name}.spec.tsx`
        : `tests/${kebab(area)}/${name}.spec.ts`;
  }
};

/** The title of the test with this number in a file; different for every number. */
export const titleOf = (domain: Domain, subject: FileSubject, rotation: number, number: number): string => {
  const { behaviours } = subject;
  const sentences = behaviours.length + domain.manners.length;
  const place = number % sentences;
  const sentence = behaviours[place] ?? domain.manners[(place + rotation) % domain.manners.length]!;
  const round = Math.floor(number / sentences);
  const setting = domain.settings[(round % (domain.settings.length + 1)) - 1];
  const dataSet = Math.floor(round / (domain.settings.length + 1));
  const title = setting === undefined ? sentence : `${sentence} ${setting}`;
  return `${subject.describe} › ${title}${dataSet === 0 ? '' : ` (data set ${dataSet + 1})`}`;
};
