import { buildExpression } from './build-expression.ts';
import { buildReporter } from './build-reporter.ts';
import { buildServer } from './build-server.ts';

console.log(await buildExpression());
console.log(await buildReporter());
console.log(await buildServer());
