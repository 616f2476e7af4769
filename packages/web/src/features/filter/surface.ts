import type { Surface } from '@assay/expression';

const ARROW = /^\s*(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|\(\s*[\p{ID_Start}$_][\p{ID_Continue}$]*\s*\))\s*=>/u;
const MEMBER_OF_ROW = /^[\s!(]*t\s*\??\.\s*[\p{ID_Start}$_"]/u;

/** A function such as `t => …`, or an expression that begins with a field as `t.status`, is JavaScript. */
export const surfaceOf = (text: string): Surface => (ARROW.test(text) || MEMBER_OF_ROW.test(text) ? 'js' : 'search');
