import loader from './index.cjs';

export const { getLoadablePath, getServerPath, load } = loader;
