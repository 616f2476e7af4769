import { ERROR } from '../../sample-data.ts';
import { ErrorText } from './error-text.tsx';

export const Long = () => <ErrorText text={ERROR} />;
