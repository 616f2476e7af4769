import { buildExpression } from './build-expression.ts';
import { buildPlugin } from './build-plugin.ts';
import { buildReporter } from './build-reporter.ts';
import { buildServer } from './build-server.ts';
import { buildVectors } from './build-vectors.ts';

console.log(await buildExpression());
console.log(await buildVectors());
console.log(await buildPlugin());
console.log(await buildReporter());
console.log(await buildServer());
