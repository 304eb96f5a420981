"use strict";(self.rspackChunkposenc_lessons=self.rspackChunkposenc_lessons||[]).push([[232],{475(e,o,n){var t=n(601),r=n.n(t),a=n(314),s=(n.n(a))()(r());s.push([e.id,`/* The lessons in JupyterLab: body[data-posenc-language] is the reader's choice. */
body[data-posenc-language="en"] .posenc-lesson [lang="zh"],
body[data-posenc-language="zh"] .posenc-lesson [lang="en"],
body:not([data-posenc-language="both"]) .posenc-lesson .posenc-dot,
.posenc-lesson .posenc-gone {
  display: none !important;
}
.posenc-languages, .posenc-way { display: flex; align-items: center; gap: 2px; margin: 0 6px; }
.posenc-languages button, .posenc-way button, .posenc-go-on, .posenc-still button {
  height: 24px; padding: 0 8px; border: 1px solid transparent; border-radius: 3px; background: none;
  color: var(--jp-ui-font-color1); font: var(--jp-ui-font-size1) var(--jp-ui-font-family);
  white-space: nowrap; cursor: pointer;
}
.posenc-languages button:hover, .posenc-way button:hover, .posenc-go-on:hover {
  background: var(--jp-layout-color2);
}
.posenc-languages button[aria-pressed="true"] {
  border-color: var(--jp-brand-color1); background: var(--jp-layout-color2); font-weight: 600;
}
.posenc-languages button:focus-visible,
.posenc-way button:focus-visible,
.posenc-go-on:focus-visible,
.posenc-still button:focus-visible {
  outline: 2px solid var(--jp-brand-color1);
}
.posenc-doors a:focus-visible {
  outline: 2px solid #1a1a1a; /* the cards are light in the dark theme too */
  outline-offset: -4px;
}
.posenc-way button[hidden], .posenc-go-on[hidden] { display: none; }
.jp-OutputArea-child:has(> .posenc-still) { flex-wrap: wrap; }
.jp-OutputArea-child:has(> .posenc-still) > .jp-OutputArea-output { /* beside the prompt, not below it */
  flex: 1 1 0;
  min-width: 0;
}
.posenc-still {
  order: -1; /* above the still, because a picture may fill the screen */
  flex: 0 0 calc(100% - var(--jp-cell-prompt-width) - 16px); box-sizing: border-box;
  margin: 4px 8px 4px calc(var(--jp-cell-prompt-width) + 8px); padding-left: 10px;
  border-left: 3px solid var(--jp-brand-color1); color: var(--jp-content-font-color1);
  font: var(--jp-content-font-size1) / 1.5 var(--jp-content-font-family);
}
.posenc-gone + .posenc-still { /* on the row of the empty prompt */
  flex: 1 1 0;
  order: 0;
  min-width: 0; /* a wide picture becomes smaller */
  margin-left: 8px;
}
.posenc-still img { display: block; margin-top: 4px; max-width: 100%; height: auto; }
.posenc-still figcaption { display: inline; margin-right: 8px; }
.posenc-still button { border-color: var(--jp-brand-color1); }
.posenc-still button:disabled { cursor: progress; opacity: 0.6; }
.jp-TableOfContents jp-tree-item { font-family: var(--jp-ui-font-family); } /* its own font has no Chinese */
`,""]),n.d(o,{},{A:s})},314(e){e.exports=function(e){var o=[];return o.toString=function(){return this.map(function(o){var n="",t=void 0!==o[5];return o[4]&&(n+="@supports (".concat(o[4],") {")),o[2]&&(n+="@media ".concat(o[2]," {")),t&&(n+="@layer".concat(o[5].length>0?" ".concat(o[5]):""," {")),n+=e(o),t&&(n+="}"),o[2]&&(n+="}"),o[4]&&(n+="}"),n}).join("")},o.i=function(e,n,t,r,a){"string"==typeof e&&(e=[[null,e,void 0]]);var s={};if(t)for(var i=0;i<this.length;i++){var c=this[i][0];null!=c&&(s[c]=!0)}for(var p=0;p<e.length;p++){var l=[].concat(e[p]);t&&s[l[0]]||(void 0!==a&&(void 0===l[5]||(l[1]="@layer".concat(l[5].length>0?" ".concat(l[5]):""," {").concat(l[1],"}")),l[5]=a),n&&(l[2]&&(l[1]="@media ".concat(l[2]," {").concat(l[1],"}")),l[2]=n),r&&(l[4]?(l[1]="@supports (".concat(l[4],") {").concat(l[1],"}"),l[4]=r):l[4]="".concat(r)),o.push(l))}},o}},601(e){e.exports=function(e){return e[1]}},72(e){var o=[];function n(e){for(var n=-1,t=0;t<o.length;t++)if(o[t].identifier===e){n=t;break}return n}function t(e,t){for(var r={},a=[],s=0;s<e.length;s++){var i=e[s],c=t.base?i[0]+t.base:i[0],p=r[c]||0,l="".concat(c," ").concat(p);r[c]=p+1;var u=n(l),d={css:i[1],media:i[2],sourceMap:i[3],supports:i[4],layer:i[5]};if(-1!==u)o[u].references++,o[u].updater(d);else{var f=function(e,o){var n=o.domAPI(o);return n.update(e),function(o){o?(o.css!==e.css||o.media!==e.media||o.sourceMap!==e.sourceMap||o.supports!==e.supports||o.layer!==e.layer)&&n.update(e=o):n.remove()}}(d,t);t.byIndex=s,o.splice(s,0,{identifier:l,updater:f,references:1})}a.push(l)}return a}e.exports=function(e,r){var a=t(e=e||[],r=r||{});return function(e){e=e||[];for(var s=0;s<a.length;s++){var i=n(a[s]);o[i].references--}for(var c=t(e,r),p=0;p<a.length;p++){var l=n(a[p]);0===o[l].references&&(o[l].updater(),o.splice(l,1))}a=c}}},659(e){var o={};e.exports=function(e,n){var t=function(e){if(void 0===o[e]){var n=document.querySelector(e);if(window.HTMLIFrameElement&&n instanceof window.HTMLIFrameElement)try{n=n.contentDocument.head}catch(e){n=null}o[e]=n}return o[e]}(e);if(!t)throw Error("Couldn't find a style target. This probably means that the value for the 'insert' parameter is invalid.");t.appendChild(n)}},540(e){e.exports=function(e){var o=document.createElement("style");return e.setAttributes(o,e.attributes),e.insert(o,e.options),o}},56(e,o,n){e.exports=function(e){var o=n.nc;o&&e.setAttribute("nonce",o)}},825(e){e.exports=function(e){if("u"<typeof document)return{update:function(){},remove:function(){}};var o=e.insertStyleElement(e);return{update:function(n){var t,r,a;t="",n.supports&&(t+="@supports (".concat(n.supports,") {")),n.media&&(t+="@media ".concat(n.media," {")),(r=void 0!==n.layer)&&(t+="@layer".concat(n.layer.length>0?" ".concat(n.layer):""," {")),t+=n.css,r&&(t+="}"),n.media&&(t+="}"),n.supports&&(t+="}"),(a=n.sourceMap)&&"u">typeof btoa&&(t+="\n/*# sourceMappingURL=data:application/json;base64,".concat(btoa(unescape(encodeURIComponent(JSON.stringify(a))))," */")),e.styleTagTransform(t,o,e.options)},remove:function(){var e;null===(e=o).parentNode||e.parentNode.removeChild(e)}}}},113(e){e.exports=function(e,o){if(o.styleSheet)o.styleSheet.cssText=e;else{for(;o.firstChild;)o.removeChild(o.firstChild);o.appendChild(document.createTextNode(e))}}},579(e,o,n){var t=n(72),r=n.n(t),a=n(825),s=n.n(a),i=n(659),c=n.n(i),p=n(56),l=n.n(p),u=n(540),d=n.n(u),f=n(113),h=n.n(f),v=n(475),g={};g.styleTagTransform=h(),g.setAttributes=l(),g.insert=c().bind(null,"head"),g.domAPI=s(),g.insertStyleElement=d(),r()(v.A,g),v.A&&v.A.locals&&v.A.locals}}]);