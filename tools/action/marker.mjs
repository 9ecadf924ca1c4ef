/** Returns the first line of a comment. The name keeps the comments of several plans of one pull request apart. */
export const markerOf = ({ NAME = '' }) => {
  const name = NAME.replace(/[^\w./]+/g, '-');
  return `<!-- render-rgd plan${name === '' ? '' : ` ${name.replace(/--+/g, '-')}`} -->`;
};
