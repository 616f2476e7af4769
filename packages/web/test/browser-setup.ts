import '../src/theme/tokens.css';
import '../src/theme/base.css';
