import { type UnpluginInstance, createUnplugin } from 'unplugin';
import { buildTrees } from './build-trees.ts';

export { BuildError } from './build-error.ts';
export { buildTrees, type BuiltModule } from './build-trees.ts';

/**
 * Turns each `expr(lambda)` of `@assay/expression` into its tree while a program is built. Stands before plugins that strip
 * types, so that errors name the lines that people wrote.
 */
export const expressionPlugin: UnpluginInstance<undefined> = createUnplugin(() => ({
  name: 'assay-expression',
  enforce: 'pre',
  transform: {
    filter: {
      id: { include: /\.[cm]?[jt]sx?(?:\?|$)/, exclude: /[\\/]node_modules[\\/]/ },
      code: /@assay\/expression/,
    },
    handler: (code, id) => buildTrees(code, id),
  },
}));
