import { buildExpression } from './build-expression.ts';
import { buildServer } from './build-server.ts';

console.log(await buildExpression());
console.log(await buildServer());
