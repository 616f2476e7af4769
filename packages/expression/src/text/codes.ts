/** Every code that reading a text can give beside those of trees, and what it says. */
export const TEXT_CODES = {
  'text.expected': 'The text ends where something more is expected; details: expected.',
  'text.unexpected': 'Something stands where it cannot; details: expected.',
  'text.unterminated': 'A string, template, regular expression, phrase or comment does not end.',
  'text.escape': 'An escape of a string or template names no character.',
  'text.number': 'What starts as a number is none.',
  'text.regexp': 'A regular expression does not compile.',
  'text.date': 'What `new Date` is given is no date with a zone.',
  'text.mixed': '`??` beside `||` or `&&`, or a sign before `**`, without parentheses.',
  'text.chain': 'Parentheses end an optional chain, which no tree can say.',
  'text.unsupported': 'JavaScript, but outside the format; details: instead.',
  'field.unknown': 'No field of the catalogue has this name; details: name, nearest.',
  'field.value': 'A field never has such a value; details: value, and expected or nearest and values.',
  'field.unordered': 'A field without order, or a list, is compared with `<` or `>`; details: operator.',
  'field.colon': 'A field is compared without a colon behind its name; details: name, nearest.',
  'field.noText': 'The catalogue has no field that bare words could look into.',
  'lambda.operator':
    'A function for the typed builder applies an operator of JavaScript to an expression; details: instead.',
  'lambda.unbuilt': 'A lambda was given to `expr`, but no build plugin has turned it into its tree.',
  'lambda.undeclared': 'A function takes a name from around it that neither `scope` nor `captures` declares.',
  'lambda.source': 'No function, or one without source that could be read: it is native, bound, a class or a method.',
} as const;

export type TextCode = keyof typeof TEXT_CODES;
