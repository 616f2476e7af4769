/** Of the HTML report that is made from the blobs of a run. */
export const MERGED_REPORT_LABEL = 'Merged HTML Report';
