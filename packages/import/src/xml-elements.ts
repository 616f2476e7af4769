import { type Problem, problem, requireRoom } from './imported.ts';
import { type Source, textOf } from './source.ts';
import { type GrowingText, MAX_ERROR, growText } from './texts.ts';
import { type Attributes, readXml } from './xml.ts';

/** An element with what is inside of it, for documents whose tests are small trees of a large one. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: XmlElement[];
  readonly text: GrowingText;
}

export interface ElementHandlers {
  /** Elements that are handed over whole when they close, with the attributes of those around them. */
  readonly whole: ReadonlySet<string>;
  take(element: XmlElement, around: readonly { readonly name: string; readonly attributes: Attributes }[]): void;
  /** An element around others begins. */
  open?(name: string, attributes: Attributes): void;
  /** An element around others ends. */
  close?(name: string): void;
}

const MAX_PROBLEMS = 5;
/** Of one tree: beyond it children are read and left out. */
const MAX_CHILDREN = 10_000;

/** Reads a document tree by tree, so that memory holds one test at a time. Returns what is not well-formed. */
export const readElements = async (source: Source, handlers: ElementHandlers): Promise<Problem[]> => {
  const problems: Problem[] = [];
  const around: { name: string; attributes: Attributes }[] = [];
  const open: OpenElement[] = [];
  let children = 0;
  let trees = 0;
  const xml = readXml({
    open(name, attributes) {
      if (open.length === 0 && !handlers.whole.has(name)) {
        around.push({ name, attributes });
        handlers.open?.(name, attributes);
        return;
      }
      open.push({ name, attributes, children: [], text: growText(MAX_ERROR) });
    },
    text: (text) => open.at(-1)?.text.add(text),
    close(name) {
      const closed = open.pop();
      if (closed === undefined) {
        around.pop();
        handlers.close?.(name);
        return;
      }
      const element = { ...closed, text: closed.text.text() };
      const parent = open.at(-1);
      if (parent === undefined) {
        children = 0;
        requireRoom(++trees);
        handlers.take(element, around);
      } else if (children++ < MAX_CHILDREN) parent.children.push(element);
    },
    broken(message, line) {
      if (problems.length < MAX_PROBLEMS) problems.push(problem(message, line));
    },
  });
  for await (const text of textOf(source)) xml.write(text);
  xml.end();
  return problems;
};

export const childOf = (element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined =>
  path.reduce<XmlElement | undefined>((at, name) => at?.children.find((child) => child.name === name), element);

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

export const textAt = (element: XmlElement | undefined, ...path: readonly string[]): string =>
  childOf(element, ...path)?.text.trim() ?? '';

/** The message, and the stack behind it unless it begins with the message. */
export const errorOf = (message: string, stack: string): string =>
  stack.includes(message) ? stack : [message, stack].filter((part) => part !== '').join('\n');
