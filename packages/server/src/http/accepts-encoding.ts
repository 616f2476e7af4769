/** Whether an `Accept-Encoding` header takes answers in an encoding. */
export const acceptsEncoding = (header: string | string[] | undefined, encoding: 'br' | 'gzip'): boolean => {
  const weights = new Map(
    String(header ?? '')
      .split(',')
      .map((coding): [string, number] => {
        const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
        const weight = parameters.find((parameter) => parameter.startsWith('q='));
        return [name, weight === undefined ? 1 : Number(weight.slice(2))];
      }),
  );
  return (weights.get(encoding) ?? weights.get(`x-${encoding}`) ?? weights.get('*') ?? 0) > 0;
};
