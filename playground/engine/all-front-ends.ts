export { FRONT_ENDS } from '../../src/render/front-ends.ts';
