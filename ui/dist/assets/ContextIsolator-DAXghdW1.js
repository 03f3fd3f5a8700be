import{i as e,t}from"./react-sySUN5R7.js";import{c as n,et as r,ft as i,ht as a,it as o,l as s,u as c,y as l}from"./SizeContext-CjHSm24F.js";import{a as u}from"./context-DM2_q8Wy.js";import{a as d}from"./useMergeSemantic-1vdWOqOW.js";import{t as f}from"./useSize-CSWhUgnR.js";var p=e(t()),m=`data-rc-order`,h=`data-rc-priority`,g=`rc-util-key`,_=new Map;function v(){return!!(typeof window<`u`&&window.document&&window.document.createElement)}function y(e,t){if(!e||!t)return!1;if(e.contains)return e.contains(t);let n=t;for(;n;){if(n===e)return!0;n=n.parentNode}return!1}function b({mark:e}={}){return e?e.startsWith(`data-`)?e:`data-${e}`:g}function x(e){return e.attachTo?e.attachTo:document.querySelector(`head`)||document.body}function S(e){return e===`queue`?`prependQueue`:e?`prepend`:`append`}function C(e){return Array.from((_.get(e)||e).children).filter(e=>e.tagName===`STYLE`)}function w(e,t={}){if(!v())return null;let{csp:n,prepend:r,priority:i=0}=t,a=S(r),o=a===`prependQueue`,s=document.createElement(`style`);s.setAttribute(m,a),o&&i&&s.setAttribute(h,`${i}`),n?.nonce&&(s.nonce=n.nonce),s.innerHTML=e;let c=x(t),{firstChild:l}=c;if(r){if(o){let e=(t.styles||C(c)).filter(e=>{if(![`prepend`,`prependQueue`].includes(e.getAttribute(m)))return!1;let t=Number(e.getAttribute(h)||0);return i>=t});if(e.length)return c.insertBefore(s,e[e.length-1].nextSibling),s}c.insertBefore(s,l)}else c.appendChild(s);return s}function T(e,t={}){let{styles:n}=t;return n||=C(x(t)),n.find(n=>n.getAttribute(b(t))===e)}function E(e,t){let n=_.get(e);if(!n||!y(document,n)){let n=w(``,t);if(!n)return;let{parentNode:r}=n;_.set(e,r),e.removeChild(n)}}function D(e,t,n={}){if(!v())return null;let r=x(n),i=C(r),a={...n,styles:i};E(r,a);let o=T(t,a);if(o)return a.csp?.nonce&&o.nonce!==a.csp.nonce&&(o.nonce=a.csp.nonce),o.innerHTML!==e&&(o.innerHTML=e),o;let s=w(e,a);return s?.setAttribute(b(a),t),s}function O(e){return e?.getRootNode?.()}function k(e){let t=O(e);return typeof ShadowRoot<`u`&&t instanceof ShadowRoot?t:null}var A={};function j(e,t){e||A[t]||(A[t]=!0)}function M(e){return e.replace(/-(.)/g,(e,t)=>t.toUpperCase())}function N(e,t){j(e,`[@ant-design/icons] ${t}`)}function P(e){return typeof e==`object`&&!!e&&typeof e.name==`string`&&typeof e.theme==`string`&&(typeof e.icon==`object`||typeof e.icon==`function`)}function F(e={}){return Object.keys(e).reduce((t,n)=>{let r=e[n];switch(n){case`class`:t.className=r,delete t.class;break;default:delete t[n],t[M(n)]=r}return t},{})}function I(e,t,n){return n?p.createElement(e.tag,{key:t,...F(e.attrs),...n},(e.children||[]).map((n,r)=>I(n,`${t}-${e.tag}-${r}`))):p.createElement(e.tag,{key:t,...F(e.attrs)},(e.children||[]).map((n,r)=>I(n,`${t}-${e.tag}-${r}`)))}var L=`
.anticon {
  display: inline-flex;
  align-items: center;
  color: inherit;
  font-style: normal;
  line-height: 0;
  text-align: center;
  text-transform: none;
  vertical-align: -0.125em;
  text-rendering: optimizeLegibility;
  -webkit-font-smoothing: antialiased;
  -moz-osx-font-smoothing: grayscale;
}

.anticon > * {
  line-height: 1;
}

.anticon svg {
  display: inline-block;
  vertical-align: inherit;
}

.anticon::before {
  display: none;
}

.anticon .anticon-icon {
  display: block;
}

.anticon[tabindex] {
  cursor: pointer;
}

.anticon-spin {
  -webkit-animation: loadingCircle 1s infinite linear;
  animation: loadingCircle 1s infinite linear;
}

@-webkit-keyframes loadingCircle {
  100% {
    -webkit-transform: rotate(360deg);
    transform: rotate(360deg);
  }
}

@keyframes loadingCircle {
  100% {
    -webkit-transform: rotate(360deg);
    transform: rotate(360deg);
  }
}
`,R=e=>{let{csp:t,prefixCls:n,layer:r,zeroRuntime:i}=(0,p.useContext)(l),a=L;n&&(a=a.replace(/anticon/g,n)),r&&(a=`@layer ${r} {\n${a}\n}`),(0,p.useEffect)(()=>{if(i)return;let n=e.current,o=k(n);D(a,`@ant-design-icons`,{prepend:!r,csp:t,attachTo:o})},[])},z=e=>{let{icon:t,className:n,onClick:r,style:i,primaryColor:a,secondaryColor:o,...s}=e,c=p.useRef(null);if(R(c),N(P(t),`icon should be icon definiton, but got ${typeof t}`),!P(t))return null;let l=t;return I(l.icon,`svg-${l.name}`,{className:n,onClick:r,style:i,"data-icon":l.name,width:`1em`,height:`1em`,fill:`currentColor`,"aria-hidden":`true`,...s,ref:c})};z.displayName=`IconReact`;function B(){return B=Object.assign?Object.assign.bind():function(e){for(var t=1;t<arguments.length;t++){var n=arguments[t];for(var r in n)Object.prototype.hasOwnProperty.call(n,r)&&(e[r]=n[r])}return e},B.apply(this,arguments)}var V=p.forwardRef((e,t)=>{let{className:n,icon:r,spin:i,rotate:a,tabIndex:s,onClick:c,twoToneColor:u,...d}=e,{prefixCls:f=`anticon`,rootClassName:m}=p.useContext(l);if(N(P(r),`icon should be icon definiton, but got ${typeof r}`),!P(r))return null;let h=o(m,f,{[`${f}-${r.name}`]:!!r.name,[`${f}-spin`]:!!i||r.name===`loading`},n),g=s;g===void 0&&c&&(g=-1);let _=a?{msTransform:`rotate(${a}deg)`,transform:`rotate(${a}deg)`}:void 0;return p.createElement(`span`,B({role:`img`,"aria-label":r.name},d,{ref:t,tabIndex:g,onClick:c,className:h}),p.createElement(z,{icon:r,style:_}))}),H=(e,t)=>{let r=p.useContext(n);return[p.useMemo(()=>{let n=t||s[e],i=r?.[e]??{};return{...c(n)?n():n,...i||{}}},[e,t,r]),p.useMemo(()=>{let e=r?.locale;return r?.exist&&!e?s.locale:e},[r])]},U=e=>e===`horizontal`||e===`vertical`,W=(e,t,n)=>(0,p.useMemo)(()=>{let r=U(e),i;return i=r?e:typeof t==`boolean`?t?`vertical`:`horizontal`:U(n)?n:`horizontal`,[i,i===`vertical`]},[n,e,t]),G=d([`Space`,`Compact`],e=>{let{componentCls:t}=e;return{[t]:{display:`inline-flex`,"&-block":{display:`flex`,width:`100%`},"&-vertical":{flexDirection:`column`},"&-rtl":{direction:`rtl`}}}},()=>({}),{resetStyle:!1}),K=p.createContext(null),q=(e,t)=>{let n=p.useContext(K),r=p.useMemo(()=>{if(!n)return``;let{compactDirection:r,isFirstItem:i,isLastItem:a}=n,s=r===`vertical`?`-vertical-`:`-`;return o(`${e}-compact${s}item`,{[`${e}-compact${s}first-item`]:i,[`${e}-compact${s}last-item`]:a,[`${e}-compact${s}item-rtl`]:t===`rtl`})},[e,t,n]);return{compactSize:n?.compactSize,compactDirection:n?.compactDirection,compactItemClassnames:r}},J=e=>{let{children:t}=e;return p.createElement(K.Provider,{value:null},t)},Y=e=>{let{children:t,...n}=e;return p.createElement(K.Provider,{value:p.useMemo(()=>n,[n])},t)},X=p.forwardRef((e,t)=>{let{getPrefixCls:n,direction:a}=p.useContext(r),{size:s,direction:c,orientation:l,block:u,prefixCls:d,className:m,rootClassName:h,children:g,vertical:_,...v}=e,[y,b]=W(l,_,c),x=f(e=>s??e),S=n(`space-compact`,d),[C]=G(S),w=o(S,C,{[`${S}-rtl`]:a===`rtl`,[`${S}-block`]:u,[`${S}-vertical`]:b},m,h),T=p.useContext(K),E=p.useRef(null);p.useImperativeHandle(t,()=>({nativeElement:E.current}));let D=i(g),O=p.useMemo(()=>D.map((e,t)=>{let n=e?.key||`${S}-item-${t}`;return p.createElement(Y,{key:n,compactSize:x,compactDirection:y,isFirstItem:t===0&&(!T||T?.isFirstItem),isLastItem:t===D.length-1&&(!T||T?.isLastItem)},e)}),[D,T,y,x,S]);return D.length===0?null:p.createElement(`div`,{ref:E,className:w,...v},O)}),Z=e=>{let{space:t,form:n,children:r}=e;if(!a(r))return null;let i=r;return n&&(i=p.createElement(u,{override:!0,status:!0},i)),t&&(i=p.createElement(J,null,i)),i};export{H as a,W as i,X as n,V as o,q as r,Z as t};