import type { Test } from './catalogue.ts';
import type { Failure, Site } from './errors/failure.ts';
import { junitErrors } from './errors/junit.ts';
import { playwrightErrors } from './errors/playwright.ts';
import { vitestErrors } from './errors/vitest.ts';
import type { Random } from './random.ts';
import type { Domain } from './vocabulary.ts';

const writers = { playwright: playwrightErrors, vitest: vitestErrors, junit: junitErrors };

/** The project in which an error is written. */
export interface ErrorScene {
  readonly root: Random;
  readonly domain: Domain;
  readonly repository: string;
}

export const errorText = (scene: ErrorScene, test: Test, line: number, failure: Failure, varying: Random): string => {
  const { path, area, feature } = test.file;
  const site: Site = {
    domain: scene.domain,
    repository: scene.repository,
    path,
    area,
    feature,
    title: test.title,
    line,
  };
  const stable = scene.root.fork('cause').fork(failure.cause);
  return writers[scene.domain.framework][failure.kind](stable, varying, site);
};
