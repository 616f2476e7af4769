/** Files that tell in one line that the Node which runs them is too old. They have to be read by any Node that there is. */

interface Guarded {
  /** Such as `20.3`. */
  readonly needs: string;
  /** What is loaded by a Node that is new enough. */
  readonly file: string;
}

const isOld = (needs: string): string => {
  const [major = '0', minor = '0'] = needs.split('.');
  return `var node = process.versions.node.split('.').map(Number);
var isOld = node[0] < ${major} || (node[0] === ${major} && node[1] < ${minor});
`;
};

/** A command, as a script. */
export const guardedCommand = (name: string, { needs, file }: Guarded): string => `#!/usr/bin/env node
'use strict';
${isOld(needs)}if (isOld) {
  process.stderr.write('${name}: needs Node ${needs} or newer, but this is Node ' + process.versions.node + '\\n');
  process.exitCode = 2;
} else import('${file}');
`;

/** A reporter that then reports nothing: a test run goes on without it. */
export const guardedReporter = (format: 'esm' | 'cjs', { needs, file }: Guarded): string => {
  const real = format === 'esm' ? `(await import('${file}')).default` : `require('${file}').default`;
  // Compilers of modules to scripts look for the name.
  const end =
    format === 'esm'
      ? `export default isOld ? Silent : ${real};`
      : `module.exports = isOld ? Silent : ${real};\nmodule.exports.default = module.exports;`;
  return `${format === 'esm' ? '' : `'use strict';\n`}${isOld(needs)}if (isOld) {
  process.stderr.write(
    'Assay: this run will not be sent: @assay/reporter needs Node ${needs} or newer, but this is Node ' + process.versions.node + '\\n'
  );
}
function nothing() {}
/** A class of a reporter, and a function for Cypress. */
function Silent() {
  if (!(this instanceof Silent)) return { beforeRun: nothing, afterSpec: nothing, afterRun: nothing };
}
// Playwright adds its own reporter for the terminal only beside one that says this.
Silent.prototype.printsToStdio = function () { return false; };
${end}
`;
};
