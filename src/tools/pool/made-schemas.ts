/**
 * The JSON schemas of the built-in tools by their names, as JSON. The build writes them here, because their conversion
 * takes a tenth of a start. In the source there are none: each is converted on first use.
 */
export const MADE_SCHEMAS: string = '{}';
