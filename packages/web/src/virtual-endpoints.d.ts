declare module 'virtual:endpoints' {
  import type { AddressTable } from '@assay/contract/request';

  export const endpoints: AddressTable;
}
